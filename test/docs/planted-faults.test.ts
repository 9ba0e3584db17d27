import { existsSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import * as z from "zod";
import { readHarmless } from "../mutate/report.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const textOf = (file: string) => (existsSync(`${ROOT}${file}`) ? readFileSync(`${ROOT}${file}`, "utf8") : "");

it("each harmless fault is one of a file that is there, with a reason", () => {
  expect(readHarmless().filter(({ file }) => textOf(file) === "")).toEqual([]);
});

const guards = z
  .array(z.object({ guard: z.string(), file: z.string(), original: z.string(), replacement: z.string() }))
  .parse(JSON.parse(textOf("test/mutate/guards.json")));

it("each listed guard stands in its file once", () => {
  const stale = guards.filter(({ file, original }) => textOf(file).split(original).length !== 2);
  expect(stale.map(({ guard, file }) => `${guard}, ${file}`)).toEqual([]);
});

it("each listed guard is an expression, with it and without it", () => {
  const broken = guards.filter(({ file, original, replacement }) =>
    [original, replacement].some((one) => !isSound(textOf(file).replace(original, () => `(${one})`))),
  );
  expect(broken.map(({ guard, file }) => `${guard}, ${file}`)).toEqual([]);
});

function isSound(source: string): boolean {
  try {
    stripTypeScriptTypes(source);
    return true;
  } catch {
    return false;
  }
}
