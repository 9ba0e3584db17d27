import { expect, it } from "vitest";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { passedOverIn } from "../../../durable/engine/replay/passed-over-log.ts";
import { summarizePassedOver } from "../../../durable/engine/replay/what-if.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { makeFilters, makeOffer, makeWarehouseFilter, NOON, makeReplaySettings } from "../fixtures.ts";

/** The summary of a log in which these offers were skipped, by a rule that asks about $80 and more. */
function summarize(...skipped: [Offer, ...Reason[]][]) {
  const disliked = skipped.map(([offer, ...reasons], index): LogEntry => ({
    seq: index + 1,
    event: { kind: "offer_judged", at: NOON + index, offer, reasons, filtersVersion: 1 },
  }));
  const lists = { disliked: disliked.toReversed(), won: [], lost: [], held: [], givenBack: [] };
  const asks = makeWarehouseFilter({ minPriceCents: 8_000, action: "ask" });
  return summarizePassedOver({
    ...passedOverIn(lists, { from: NOON, to: NOON + HOUR_MS }),
    ...makeReplaySettings({ filters: makeFilters({ warehouses: [asks] }) }),
  });
}

const PRICE: Reason = { code: "price_below_minimum", rule: 8_000, offer: 7_000 };
const low = makeOffer("low", { payCents: 7_000 });
/** At the same time. */
const good = makeOffer("good", { payCents: 9_000, startsAt: low.startsAt + HOUR_MS });

it.each<[string, Reason]>([
  ["the driver passed on", { code: "passed", rule: NOON, offer: NOON }],
  ["the driver didn't answer about", { code: "unanswered", rule: NOON, offer: NOON }],
  ["the driver was only told of, after six questions", { code: "only_told", rule: "ask" }],
])("an offer that %s takes no room of others, and is none that filters skipped", (_what, reason) => {
  const skipped = { code: "price_below_minimum", offers: 1, workable: 1, payCents: 7_000 };
  expect(summarize([low, PRICE])).toMatchObject([skipped]);
  expect(summarize([good, reason], [low, PRICE])).toMatchObject([skipped]);
  const declined = { ...good, payCents: 7_500 };
  expect(summarize([declined, reason, PRICE], [low, PRICE])).toMatchObject([skipped]);
});

it("an offer that a rule only told of is judged by the rules of now, like any other", () => {
  expect(summarize([low, PRICE], [good, { code: "only_told", rule: "tell" }])).toMatchObject([
    { code: "price_below_minimum", workable: 0 },
  ]);
});
