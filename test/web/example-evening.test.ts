import { afterAll, expect, it } from "vitest";
import { LANGUAGES } from "../../db/shapes/language.ts";
import { EXAMPLE_EVENING } from "../../web/features/landing/example-evening.ts";
import { changeLocale } from "../../web/features/language/locale.ts";

afterAll(() => changeLocale("en"));

it.each(LANGUAGES)("the example on the landing page has all figures of its reasons, in %s", (language) => {
  changeLocale(language);
  const texts = EXAMPLE_EVENING.flatMap(({ outcome, why }) => [outcome(), why()]);
  expect(texts.filter((text) => /undefined|NaN|[{}]/.test(text))).toEqual([]);
});

it("the example on the landing page marks each offer with what its words say", () => {
  changeLocale("en");
  const wrong = EXAMPLE_EVENING.filter(({ kind, outcome }) => {
    const words = { Captured: "won", "Another driver was faster": "lost" }[outcome()];
    return kind !== (words ?? "rejected");
  });
  expect(wrong).toEqual([]);
});
