import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { LANGUAGES } from "../../db/shapes/language.ts";
import { ONE_TIME_CODE } from "../sandbox/desk/script.ts";

const VALUES: Readonly<Record<string, string>> = {
  code: "483920",
  url: "http://localhost:5173/flex/payments",
  link: "http://localhost:5173/register?referral=ana",
  phone: "+1 (555) 010-0100",
};

/** All texts in a language, as a deployment at a port of this machine sends them. */
function textsIn(language: string): Record<string, string> {
  const words = JSON.parse(readFileSync(`locales/${language}.json`, "utf8")) as Record<string, unknown>;
  const texts = Object.entries(words).filter(
    (entry): entry is [string, string] => entry[0].startsWith("text_") && typeof entry[1] === "string",
  );
  return Object.fromEntries(
    texts.map(([key, text]) => [
      key,
      text.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => VALUES[name] ?? "$1,250"),
    ]),
  );
}

it.each(LANGUAGES)("the desk finds the code of a text, and none in what has none: %s", (language) => {
  const found = Object.entries(textsIn(language)).flatMap(([key, text]) => {
    const code = ONE_TIME_CODE.exec(text)?.[0];
    return code === undefined ? [] : [[key, code]];
  });
  expect(found).toEqual([["text_code", "483920"]]);
});

it.each([
  ["1234567890 is your Jornada code. It expires in 10 minutes.", "1234567890"],
  ["Your platform code: 4821.", "4821"],
  ["Open http://localhost:5173/undo?token=1234 now", undefined],
  ["@localhost:5173 #483920", undefined],
])("the desk reads %j", (text, code) => {
  expect(ONE_TIME_CODE.exec(text)?.[0]).toBe(code);
});
