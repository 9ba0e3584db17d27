import { expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { formatTimeLeft } from "../../../web/features/language/format.ts";

it.each([
  [14 * DAY_MS - 5_000, "14 days"],
  [14 * DAY_MS - 3 * HOUR_MS, "14 days"],
  [13 * DAY_MS + HOUR_MS, "13 days"],
  [7 * DAY_MS - 5_000, "7 days"],
  [3 * DAY_MS - 5_000, "3 days"],
  [3 * DAY_MS - 45 * MINUTE_MS, "2 days, 23 hr"],
  [DAY_MS - 5_000, "1 day"],
  [DAY_MS - 10 * MINUTE_MS, "23 hr 50 min"],
  [40_000, "1 min"],
  [20_000, "less than a minute"],
])("reads %i ms of service as %s", (ms, text) => {
  // No line break parts it.
  expect(formatTimeLeft(ms)).toBe(text.replaceAll(" ", "\u00a0"));
});
