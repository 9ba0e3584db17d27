import { beforeAll, expect, it } from "vitest";
import { CITY_STATES } from "../../../db/shapes/city-health.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { cityStateMessage } from "../../../web/features/health/health-page.tsx";

beforeAll(() => changeLocale("en"));

const NOW = Date.parse("2026-11-24T23:30:00Z");

it("says whose trouble it is, and blames nobody where it works or nothing is known", () => {
  const said = (isOurs: boolean) =>
    CITY_STATES.map((state) =>
      cityStateMessage(
        { state, isOurs, since: NOW - 18 * 60_000, timeZone: "America/New_York" },
        NOW,
      ).replaceAll(/\s/g, " "),
    );
  expect(said(false)).toEqual([
    "Working",
    "Slow since 6:12 PM",
    "Not answering since 6:12 PM",
    "No data right now",
  ]);
  // A state that only a later release knows is read as unknown.
  expect(said(true)).toEqual([
    "Working",
    "Our systems have had a problem since 6:12 PM",
    "Our systems have had a problem since 6:12 PM",
    "No data right now",
  ]);
});
