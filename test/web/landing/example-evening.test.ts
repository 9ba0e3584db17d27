import { afterAll, expect, it } from "vitest";
import { LANGUAGES } from "../../../db/shapes/language.ts";
import { afterOffer, EXAMPLE_EVENING, EXAMPLE_LINES } from "../../../web/features/landing/example-evening.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";

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

it("the example on the landing page brings one offer after the other, and starts over after the last", () => {
  const seen = [EXAMPLE_LINES];
  for (const _offer of EXAMPLE_EVENING) seen.push(afterOffer(seen.at(-1) ?? 0));
  const evening = EXAMPLE_EVENING.slice(EXAMPLE_LINES).map((_, index) => EXAMPLE_LINES + index + 1);
  expect(seen).toEqual([4, ...evening, 4, 5, 6, 7, 8].slice(0, EXAMPLE_EVENING.length + 1));
});
