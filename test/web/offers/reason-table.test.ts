import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { Reason } from "../../../db/shapes/work/verdict.ts";
import { filtersQuery, warehousesQuery } from "../../../web/api/queries/filters.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { offerPlace } from "../../../web/features/offers/offer-place.ts";
import { ReasonTable } from "../../../web/features/offers/reason-table.tsx";
import { makeFilters, makeOffer, makeWarehouse, makeWarehouseFilter, NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const warehouse = makeWarehouse();
const filters = makeFilters({
  warehouses: [makeWarehouseFilter({ minPriceCents: 10_000, bufferMinutes: 240 })],
});
const PRICE: Reason = { code: "price_below_minimum", rule: 10_000, offer: 9000 };
const NOTICE: Reason = { code: "too_soon", rule: 240, offer: 180 };
const RATE: Reason = { code: "rate_below_minimum", rule: 3500, offer: 3000 };

/** The texts of the reasons against an offer. */
async function readTable(reasons: readonly Reason[]) {
  const offer = makeOffer("a");
  const part = createElement(ReasonTable, {
    reasons,
    offer,
    place: offerPlace(offer, [warehouse]),
    now: NOON,
  });
  const html = await htmlOfPart(part, {
    answered: [
      [configQuery.queryKey, { currency: "USD" }],
      [warehousesQuery.queryKey, { warehouses: [warehouse] }],
      [filtersQuery.queryKey, { filters, version: 1 }],
    ],
  });
  return textsIn(html);
}

const PRICE_LINES = [
  "Pays less than your minimum",
  "Your filter",
  "at least $100",
  "This offer",
  "$90",
  "Lower Bethpage (DNY4) to $90",
];
const NOTICE_LINES = [
  "Starts too soon",
  "Your filter",
  "4 hr notice",
  "This offer",
  "3 hr notice",
  "Lower the notice for Bethpage (DNY4) to 3 hr",
];
const RATE_LINES = [
  "Below your hourly minimum",
  "Your filter",
  "at least $35/hr",
  "This offer",
  "$30/hr",
  "Your filters allow this now.",
];

it("sets each reason beside the change that removes it, or says that the filters have changed since", async () => {
  expect(await readTable([PRICE])).toEqual(["Why we skipped it", ...PRICE_LINES]);
  expect(await readTable([PRICE, RATE])).toEqual(["Why we skipped it", ...PRICE_LINES, ...RATE_LINES]);
});

it("says that all of several changes are needed", async () => {
  expect(await readTable([PRICE, NOTICE])).toEqual([
    "Why we skipped it",
    ...PRICE_LINES,
    ...NOTICE_LINES,
    "All of these have to change for offers like this one.",
  ]);
});

it("says that a change is not enough where a reason remains that no change removes", async () => {
  const span = { startsAt: NOON, endsAt: NOON + 4 * HOUR_MS };
  const overlap: Reason = { code: "overlaps_block", rule: span, offer: span };
  const enough = "That alone wouldn't have been enough for this offer.";
  expect((await readTable([PRICE, overlap])).at(-1)).toBe(enough);
  expect(await readTable([RATE, overlap])).not.toContain(enough);
  expect((await readTable([PRICE, NOTICE, overlap])).slice(-2)).toEqual([
    "All of these have to change for offers like this one.",
    enough,
  ]);
});
