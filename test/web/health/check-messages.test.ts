import { beforeAll, expect, it } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { checkMessage } from "../../../web/features/checks/check-messages.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";

beforeAll(() => changeLocale("en"));

const budgetOf = (minutes: number) =>
  checkMessage(
    { code: "budget_left", left: 280, limit: 300, windowMs: minutes * MINUTE_MS, isDay: false },
    { now: Date.parse("2026-11-26T09:00:00Z"), timeZone: "America/New_York" },
  ).replaceAll(/\s/g, " ");

it("says of texts that are paused, and of those that were stopped, what each means", () => {
  const at = { now: 0, timeZone: "UTC" };
  expect(checkMessage({ code: "texts_paused" }, at)).not.toBe(checkMessage({ code: "texts_stopped" }, at));
});

it.each([
  [0.5, "The platform allows about 300 checks a minute. Left now: 280."],
  [1, "The platform allows about 300 checks a minute. Left now: 280."],
  [5, "The platform allows about 300 checks every 5 min. Left now: 280."],
])("a limit within %d minutes reads as one would say it", (minutes, text) => {
  expect(budgetOf(minutes)).toBe(text);
});
