import { expect, it } from "vitest";
import type { JudgedRule, Reason } from "../../../db/shapes/work/verdict.ts";
import { blockToFeedItem, eventToFeedItem } from "../../../web/features/offers/feed-item.ts";
import { reasonSummary, toReasonRow } from "../../../web/features/offers/reason-messages.ts";
import { makeOffer, NOON } from "../../engine/fixtures.ts";

const PLACE = { name: "Bethpage", timeZone: "America/New_York", currency: "USD", warehouse: null };
const PRICE: Reason = { code: "price_below_minimum", rule: 9000, offer: 8000 };
const LIMIT: Reason = { code: "day_limit", unit: "blocks", rule: 2, offer: 3 };

const FIRST: JudgedRule = { ruleId: null, name: "", number: 1 };
const SUNDAY: JudgedRule = { ruleId: "a", name: "Sunday", number: 2 };
const UNNAMED: JudgedRule = { ruleId: "b", name: "", number: 3 };

it.each<[rule: JudgedRule | undefined, reasons: Reason[], summary: string, against: string]>([
  [undefined, [PRICE], "Pays less than your minimum", "Your filter"],
  [FIRST, [PRICE], "Pays less than your minimum (First rule)", "Your filter: First rule"],
  [SUNDAY, [PRICE, LIMIT], "Pays less than your minimum +1 (Sunday)", "Your filter: Sunday"],
  [UNNAMED, [PRICE], "Pays less than your minimum (Rule 3)", "Your filter: Rule 3"],
  // A limit holds for all rules.
  [SUNDAY, [LIMIT], "Over your limit for the day", "Your limit"],
])("a reason names the rule that it is by: %o", (rule, reasons, summary, against) => {
  const [first = PRICE] = reasons;
  const row = toReasonRow(first, { place: PLACE, heldAt: null, now: NOON, hourlyCents: 0, judgedBy: rule });
  expect([reasonSummary(reasons, rule), row.against]).toEqual([summary, against]);
});

it("comes from the log and from a list alike", () => {
  const offer = makeOffer("a");
  const outcome = { kind: "rejected", reasons: [PRICE], rule: SUNDAY };
  const judged = {
    kind: "offer_judged",
    at: NOON,
    offer,
    reasons: [PRICE],
    rule: SUNDAY,
    filtersVersion: 1,
  } as const;
  const listed = { type: "disliked", seq: 1, at: NOON, offer, reasons: [PRICE], rule: SUNDAY } as const;
  expect([
    eventToFeedItem({ seq: 1, event: { ...judged, reasons: [...judged.reasons] } })?.outcome,
    blockToFeedItem({ ...listed, reasons: [...listed.reasons] }).outcome,
  ]).toEqual([outcome, outcome]);
});
