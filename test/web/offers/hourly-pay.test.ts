import * as fc from "fast-check";
import { expect, it } from "vitest";
import { hourlyPay, MINUTE_MS } from "../../../db/shapes/units.ts";
import { formatRate } from "../../../web/features/language/format.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { toReasonRow } from "../../../web/features/offers/reason-messages.ts";
import { shownHourlyPay } from "../../../web/features/offers/feed-item.ts";
import { compileFilters } from "../../../durable/engine/verdicts/compiled-filters.ts";
import {
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  matchContext,
  matchOffer,
  NOON,
} from "../../engine/fixtures.ts";

const PLACE = { name: "Bethpage", timeZone: "America/New_York", currency: "USD", warehouse: null };

it.each([
  [9000, 210, "$25.71/hr"],
  [9500, 210, "$27.14/hr"],
  [10_000, 180, "$33.33/hr"],
  [20_000, 180, "$66.67/hr"],
  [9000, 180, "$30/hr"],
])("of %i cents for %i minutes reads as %s", (payCents, minutes, text) => {
  const span = { startsAt: NOON, endsAt: NOON + minutes * MINUTE_MS };
  expect(formatRate(hourlyPay({ payCents, ...span }), "USD")).toBe(text);
});

it.each([
  ["rounded, but not up to the minimum that it is below", 9999, 300, 2000, "$19.99/hr"],
  ["rounded below it", 9000, 190, 2900, "$28.42/hr"],
])("stands beside a minimum %s", (_how, payCents, minutes, minHourlyCents, text) => {
  const offer = makeOffer("a", { payCents, endsAt: makeOffer("a").startsAt + minutes * MINUTE_MS });
  const reason: Reason = { code: "rate_below_minimum", rule: minHourlyCents, offer: 0 };
  const hourlyCents = shownHourlyPay({ offer, outcome: { kind: "rejected", reasons: [reason] } });
  expect(toReasonRow(reason, { place: PLACE, heldAt: null, now: NOON, hourlyCents })).toMatchObject({
    offer: text,
  });
});

it("never reads as the minimum that it was passed over for, nor as less than the one that it reaches", () => {
  const pay = fc.integer({ min: 1, max: 30_000 });
  const minutes = fc.integer({ min: 1, max: 600 });
  fc.assert(
    fc.property(pay, minutes, fc.integer({ min: -2, max: 2 }), (payCents, length, away) => {
      const startsAt = NOON + 180 * MINUTE_MS;
      const offer = makeOffer("a", { payCents, startsAt, endsAt: startsAt + length * MINUTE_MS });
      const minHourlyCents = Math.max(0, hourlyPay(offer) + away);
      const filters = makeFilters({
        minHourlyCents: null,
        warehouses: [makeWarehouseFilter({ minPriceCents: 1, minHourlyCents })],
      });
      const context = matchContext(compileFilters(makeProfile({ filters }), [makeWarehouse()]), NOON);
      const reasons = matchOffer(offer, { ...context, busy: [] });
      const shown = shownHourlyPay({ offer, outcome: { kind: "rejected", reasons } });
      const isTooLow = reasons.some(({ code }) => code === "rate_below_minimum");
      expect(shown < minHourlyCents).toBe(isTooLow);
      expect(Math.abs(shown - (payCents * 60) / length)).toBeLessThan(1);
    }),
  );
});
