import { expect, it } from "vitest";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { toReasonRow } from "../../../web/features/offers/reason-messages.ts";
import { NOON } from "../../engine/fixtures.ts";

const PLACE = { name: "Bethpage", timeZone: "America/New_York", currency: "USD", warehouse: null };
const HOUR = 60;

it.each<[reason: Reason, rule: string, offer: string]>([
  [{ code: "day_limit", unit: "blocks", rule: 2, offer: 3 }, "2 blocks a day", "3 with it"],
  [{ code: "day_limit", unit: "minutes", rule: 8 * HOUR, offer: 9 * HOUR }, "8 hr a day", "9 hr with it"],
  [{ code: "week_limit", rule: 40 * HOUR, offer: 42 * HOUR }, "40 hr a week", "42 hr with it"],
  [{ code: "rest", rule: 60, offer: 20 }, "1 hr between blocks", "20 min between blocks"],
])("says both figures of %o", (reason, rule, offer) => {
  const row = toReasonRow(reason, { place: PLACE, heldAt: null, now: NOON, hourlyCents: 0 });
  // A figure and its unit stay on one line.
  const plain = (text: string) => text.replaceAll("\u00A0", " ");
  expect([row.against, plain(row.rule), plain(row.offer)]).toEqual(["Your limit", rule, offer]);
});
