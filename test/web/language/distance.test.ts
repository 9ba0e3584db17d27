import { afterAll, expect, it } from "vitest";
import { formatDistance } from "../../../web/features/language/format.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";

afterAll(() => changeLocale("en"));

it.each([
  ["en", ["350 ft", "1,000 ft", "0.2 mi", "1.2 mi"]],
  ["pt", ["107 m", "305 m", "305 m", "1,9 km"]],
] as const)("says a distance in the units of the language: %s", async (language, distances) => {
  await changeLocale(language);
  const spoken = [106.7, 304.7, 304.9, 1_931].map((meters) => formatDistance(meters).replaceAll(/\s/gu, " "));
  expect(spoken).toEqual(distances);
});
