import { beforeAll, expect, it } from "vitest";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { toReasonRow } from "../../../web/features/offers/reason-messages.ts";
import { NOON } from "../../engine/fixtures.ts";

beforeAll(() => changeLocale("en"));

const PLACE = { name: "Bethpage", timeZone: "America/New_York", currency: "USD", warehouse: null };
const HOUR = 60;
const LIMIT = "Your limit";
const QUESTION = "Our question";
const LATER = NOON + 45_000;

it.each<[reason: Reason, against: string, rule: string, offer: string]>([
  [{ code: "day_limit", unit: "blocks", rule: 2, offer: 3 }, LIMIT, "2 blocks a day", "3 with it"],
  [
    { code: "day_limit", unit: "minutes", rule: 8 * HOUR, offer: 9 * HOUR },
    LIMIT,
    "8 hr a day",
    "9 hr with it",
  ],
  [{ code: "week_limit", rule: 40 * HOUR, offer: 42 * HOUR }, LIMIT, "40 hr a week", "42 hr with it"],
  [{ code: "rest", rule: 60, offer: 20 }, LIMIT, "1 hr between blocks", "20 min between blocks"],
  [{ code: "passed", rule: NOON, offer: LATER }, QUESTION, "asked 12:00:00 PM", "passed 12:00:45 PM"],
  [{ code: "unanswered", rule: NOON, offer: LATER }, QUESTION, "asked 12:00:00 PM", "closed 12:00:45 PM"],
])("says both figures of %o", (reason, against, rule, offer) => {
  const row = toReasonRow(reason, { place: PLACE, heldAt: null, now: NOON, hourlyCents: 0 });
  // A figure and its unit stay on one line.
  const plain = (text: string) => text.replaceAll(/[\u00A0\u202F]/g, " ");
  expect([row.against, plain(row.rule), plain(row.offer)]).toEqual([against, rule, offer]);
});
