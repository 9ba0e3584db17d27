import { expect, it } from "vitest";
import { LANGUAGES } from "../../../db/shapes/language.ts";
import { formatLanguage } from "../../../web/features/language/format.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";

it("names each language in the page's own, as it stands in a sentence", async () => {
  const named: string[][] = [];
  for (const language of LANGUAGES) {
    await changeLocale(language);
    named.push(LANGUAGES.map(formatLanguage));
  }
  await changeLocale("en");
  expect(Object.fromEntries(LANGUAGES.map((language, place) => [language, named[place]]))).toEqual({
    en: ["English", "Spanish", "Portuguese"],
    es: ["inglés", "español", "portugués"],
    pt: ["inglês", "espanhol", "português"],
  });
});
