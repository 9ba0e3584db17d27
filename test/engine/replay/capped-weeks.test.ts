import { describe, expect, it } from "vitest";
import type { ListingChange } from "../../../db/shapes/log/listing.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type OfferId } from "../../../db/shapes/units.ts";
import { replayListings } from "../../../durable/engine/replay/replay.ts";
import {
  makeBlock,
  makeFilters,
  makeListingChange,
  makeOffer,
  makeWarehouseFilter,
  NOON,
  makeReplaySettings,
} from "../fixtures.ts";

const offerAt = (name: string, startsIn: number, hours = 3, payCents = 9_000) => {
  const startsAt = NOON + startsIn;
  return makeOffer(name, { startsAt, endsAt: startsAt + hours * HOUR_MS, payCents });
};

/** A block of six hours that was captured, and an offer of three that the platform then refused for that week. */
const won = offerAt("won", DAY_MS, 6, 20_000);
const refused = offerAt("refused", DAY_MS + 7 * HOUR_MS);
const block = { ...makeBlock(won), acceptedAt: NOON };
const REFUSAL = { at: NOON + 2 * MINUTE_MS, offer: refused };

const byMinimum = (minPriceCents: number) =>
  makeReplaySettings({ filters: makeFilters({ warehouses: [makeWarehouseFilter({ minPriceCents })] }) });

const change = (minute: number, fields: Partial<ListingChange>) =>
  makeListingChange({ at: NOON + minute * MINUTE_MS, ...fields });

const LOG = [
  change(0, { seen: [won] }),
  change(1, { left: [won.offerId], held: [block] }),
  change(2, { seen: [refused] }),
];

function replay(further: readonly ListingChange[], settings = byMinimum(1)) {
  const { taken, passed } = replayListings({
    changes: [...LOG, ...further],
    settingsAt: () => settings,
    heldBefore: [],
    captured: new Set<OfferId>([won.offerId]),
    missed: new Set<OfferId>([refused.offerId]),
    refusals: [REFUSAL],
  });
  return { taken: taken.map(({ offer }) => offer.offerId), passed };
}

describe("a week in which the platform refused to give more", () => {
  it("gets no offer that comes to as much as the refused one, and says so", () => {
    const next = offerAt("next", 2 * DAY_MS);
    const { taken, passed } = replay([change(3, { seen: [next] })]);
    expect(taken).toEqual(["won"]);
    expect(passed.get(next.offerId)?.reasons).toMatchObject([
      { code: "weekly_limit", rule: { minutes: 180 } },
    ]);
  });

  it("still gets a shorter one, and no two that come to too much together", () => {
    const [one, two] = [offerAt("one", 2 * DAY_MS, 2), offerAt("two", 3 * DAY_MS, 1)];
    expect(replay([change(3, { seen: [one] })]).taken).toEqual(["won", "one"]);
    const { taken, passed } = replay([change(3, { seen: [one, two] })]);
    expect(taken).toEqual(["won", "two"]);
    expect(passed.get(one.offerId)?.reasons).toMatchObject([{ code: "weekly_limit" }]);
  });

  it("has room for what other filters would have taken in place of the block", () => {
    const next = offerAt("next", 2 * DAY_MS, 6, 30_000);
    const [beside, later] = [
      offerAt("beside", 3 * DAY_MS, 2, 30_000),
      offerAt("later", 3.5 * DAY_MS, 3, 30_000),
    ];
    const further = [
      change(3, { seen: [next] }),
      change(4, { seen: [beside] }),
      change(5, { seen: [later] }),
    ];
    expect(replay(further, byMinimum(25_000)).taken).toEqual(["next", "beside"]);
  });

  it("has room again once the block is given back", () => {
    const next = offerAt("next", 2 * DAY_MS);
    const further = [change(3, { seen: [next] }), change(4, { freed: [block.blockId] })];
    expect(replay(further).taken).toEqual(["won", "next"]);
  });

  it("is as large as what was held of it at most, whatever was refused", () => {
    const byHand = { ...makeBlock(offerAt("hand", 2 * DAY_MS, 4)), acceptedAt: NOON + 5 * MINUTE_MS };
    const next = offerAt("next", 3 * DAY_MS);
    const further = [
      change(6, { held: [byHand] }),
      change(7, { freed: [byHand.blockId] }),
      change(8, { seen: [next] }),
    ];
    expect(replay(further).taken).toEqual(["won", "next"]);
  });

  it("ends on Sunday by the warehouse's clock", () => {
    const [sunday, monday] = [offerAt("sunday", 4 * DAY_MS + 11 * HOUR_MS), offerAt("monday", 4.5 * DAY_MS)];
    expect(replay([change(3, { seen: [sunday, monday] })]).taken).toEqual(["won", "monday"]);
  });
});
