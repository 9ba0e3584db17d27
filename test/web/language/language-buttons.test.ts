import { createElement } from "react";
import { afterEach, expect, it } from "vitest";
import { LANGUAGES } from "../../../db/shapes/language.ts";
import { LanguageButtons } from "../../../web/features/language/language-buttons.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { htmlOfPart } from "../../support/page-part.ts";

afterEach(() => changeLocale("en"));

it.each(LANGUAGES)("has the button of the page's own language pressed, and no other: %s", async (locale) => {
  changeLocale(locale);
  const html = await htmlOfPart(createElement(LanguageButtons));
  const buttons = [...html.matchAll(/lang="(\w+)" aria-label="(\w+), [^"]*" aria-pressed="(\w+)"/gu)];
  expect(buttons.map(([, ...button]) => button)).toEqual(
    LANGUAGES.toReversed().map((each) => [each, each.toUpperCase(), String(each === locale)]),
  );
});
