import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  NO_LIMITS,
  type ExtraRule,
  type Filters,
  type Limits,
  type Mode,
} from "../../../db/shapes/work/filters.ts";
import type { ListingChange } from "../../../db/shapes/log/listing.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { ReasonCode } from "../../../db/shapes/work/verdict.ts";
import type { RuleAction } from "../../../db/shapes/work/rule-action.ts";
import { HOUR_MS, MINUTE_MS, type OfferId } from "../../../db/shapes/units.ts";
import {
  replayListings,
  type ReplayContext,
  type ReplaySettings,
} from "../../../durable/engine/replay/replay.ts";
import { draws } from "../../support/draws.ts";
import {
  idOf,
  makeBlock,
  makeExtraRule,
  makeFilters,
  makeListingChange,
  makeOffer,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
  makeReplaySettings,
} from "../fixtures.ts";
import { replayByReference } from "./reference-replay.ts";

vi.setConfig({ testTimeout: 60_000 });

const MASPETH = idOf.warehouse("DBK1");

const settingsOf = (filters: Partial<Filters> = {}, mode: Mode = "lucrative") =>
  makeReplaySettings({ mode, filters: makeFilters(filters) });

function replay(
  changes: readonly ListingChange[],
  { settings = settingsOf(), ...context }: Partial<ReplayContext> & { settings?: ReplaySettings } = {},
) {
  return replayListings({
    changes,
    settingsAt: () => settings,
    heldBefore: [],
    captured: new Set(),
    missed: new Set(),
    refusals: [],
    ...context,
  });
}

const takenOf = (...given: Parameters<typeof replay>) =>
  replay(...given).taken.map(({ offer }) => offer.offerId);

/** Three hours each, from so many hours after noon. */
const offerAt = (name: string, hours: number, payCents = 9_000) =>
  makeOffer(name, { startsAt: NOON + hours * HOUR_MS, payCents });

const kept = (offer: Offer) => {
  const { blockId, offerId, warehouseId, startsAt, endsAt, payCents, currency } = makeBlock(offer);
  return { blockId, offerId, warehouseId, startsAt, endsAt, payCents, currency, acceptedAt: NOON };
};

describe("a replay", () => {
  it("takes what the mode chooses of each listing, and never two that overlap", () => {
    const [early, rich] = [offerAt("early", 3, 6_000), offerAt("rich", 4, 9_000)];
    const changes = [makeListingChange({ seen: [early, rich] })];
    const by = (mode: Mode) => takenOf(changes, { settings: settingsOf({}, mode) });
    expect([by("lucrative"), by("secure"), by("masacre")]).toEqual([["rich"], ["early"], ["rich"]]);
  });

  it("does not give up a block for a better offer that comes later", () => {
    const changes = [
      makeListingChange({ seen: [offerAt("first", 3, 6_000)] }),
      makeListingChange({ at: NOON + MINUTE_MS, seen: [offerAt("better", 4, 20_000)] }),
    ];
    const { taken, passed } = replay(changes);
    expect(taken.map(({ offer }) => offer.offerId)).toEqual(["first"]);
    expect(passed.get(idOf.offer("better"))?.reasons).toMatchObject([{ code: "overlaps_block" }]);
  });

  it("takes the next best where an accept is known to have missed", () => {
    const changes = [makeListingChange({ seen: [offerAt("gone", 3, 9_000), offerAt("second", 4, 6_000)] })];
    const missed = new Set([idOf.offer("gone")]);
    const { taken, passed } = replay(changes, { missed });
    expect(taken.map(({ offer }) => offer.offerId)).toEqual(["second"]);
    expect(passed.get(idOf.offer("gone"))?.reasons).toEqual([]);
  });

  it.each<[ReasonCode, Partial<Limits>, secondAt: number]>([
    ["overlaps_block", {}, 4],
    ["day_limit", { blocksPerDay: 1 }, 7],
    ["week_limit", { minutesPerWeek: 200 }, 7],
    ["goal_reached", { weekGoalCents: 9_000 }, 7],
    ["rest", { restMinutes: 90 }, 7],
    ["travel", { travelMinutes: 90 }, 7],
  ])(
    "takes an offer of a listing against which %s stood, once the block is given back",
    (code, limits, secondAt) => {
      const first = offerAt("first", 3, 9_000);
      const second = { ...offerAt("second", secondAt, 6_000), warehouseId: MASPETH };
      const changes = [
        makeListingChange({ seen: [first, second] }),
        makeListingChange({ at: NOON + MINUTE_MS, held: [kept(first)] }),
        makeListingChange({ at: NOON + 2 * MINUTE_MS, left: [first.offerId], freed: [kept(first).blockId] }),
      ];
      const settings = {
        ...settingsOf({
          limits: { ...NO_LIMITS, ...limits },
          warehouses: [makeWarehouseFilter(), makeWarehouseFilter({ warehouseId: MASPETH })],
        }),
        warehouses: [makeWarehouse(), makeWarehouse({ warehouseId: MASPETH })],
      };
      const captured = new Set([first.offerId]);
      const before = replay(changes.slice(0, 2), { settings, captured }).passed.get(second.offerId);
      expect(before?.reasons.map((reason) => reason.code)).toEqual([code]);
      expect(takenOf(changes, { settings, captured })).toEqual(["first", "second"]);
    },
  );

  it("does not take again what the driver gave back", () => {
    const first = offerAt("first", 3);
    const changes = [
      makeListingChange({ seen: [first] }),
      makeListingChange({ at: NOON + MINUTE_MS, left: [first.offerId], held: [kept(first)] }),
      makeListingChange({ at: NOON + 2 * MINUTE_MS, freed: [kept(first).blockId] }),
      makeListingChange({ at: NOON + 3 * MINUTE_MS, seen: [offerAt("again", 3)] }),
    ];
    expect(takenOf(changes, { captured: new Set([first.offerId]) })).toEqual(["first"]);
  });

  it("leaves the hours of a block that was taken by hand, from when it was taken", () => {
    const byHand = { ...kept(offerAt("hand", 3)), acceptedAt: NOON - MINUTE_MS };
    const changes = [
      makeListingChange({ seen: [offerAt("one", 4)] }),
      makeListingChange({ at: NOON + MINUTE_MS, held: [byHand] }),
    ];
    expect(takenOf(changes)).toEqual([]);
    expect(takenOf(changes, { captured: new Set([idOf.offer("hand")]) })).toEqual(["one"]);
    expect(takenOf([makeListingChange({ seen: [offerAt("one", 4)] })], { heldBefore: [byHand] })).toEqual([]);
  });

  it("takes beside a block that was no longer listed while it ran, which still counts toward limits", () => {
    const running = kept(offerAt("running", -1));
    const changes = [
      makeListingChange({ at: NOON + MINUTE_MS, freed: [running.blockId] }),
      makeListingChange({ at: NOON + 2 * MINUTE_MS, seen: [offerAt("one", 1)] }),
    ];
    const takenBy = (limits: Partial<Limits>) =>
      takenOf(changes, {
        heldBefore: [running],
        settings: settingsOf({ limits: { ...NO_LIMITS, ...limits } }),
      });
    expect([takenBy({}), takenBy({ blocksPerDay: 1 })]).toEqual([["one"], []]);
    expect(takenOf(changes.slice(1), { heldBefore: [running] })).toEqual([]);
  });

  it("counts no block that was given back while nobody looked, although that was noticed after its start", () => {
    const unseen = kept(offerAt("unseen", -1));
    const taken = (fields: Partial<ListingChange>) =>
      takenOf(
        [
          makeListingChange({ at: NOON + MINUTE_MS, freed: [unseen.blockId], ...fields }),
          makeListingChange({ at: NOON + 2 * MINUTE_MS, seen: [offerAt("one", 1)] }),
        ],
        { heldBefore: [unseen], settings: settingsOf({ limits: { ...NO_LIMITS, blocksPerDay: 1 } }) },
      );
    expect([taken({ returned: [unseen.blockId] }), taken({ returned: [] })]).toEqual([["one"], []]);
  });

  it.each<[blocks: string, startsIn: number, at: number]>([
    ["blocks to come", 3, 4],
    ["a running block", -1, 1],
  ])("holds %s of an account again once that is linked again", (_blocks, startsIn, at) => {
    const known = kept(offerAt("known", startsIn));
    const changes = [
      makeListingChange({ at: NOON + MINUTE_MS, freed: [known.blockId] }),
      makeListingChange({ at: NOON + 2 * MINUTE_MS, held: [known] }),
      makeListingChange({ at: NOON + 3 * MINUTE_MS, seen: [offerAt("one", at)] }),
    ];
    const takenBy = (...parts: ListingChange[]) => takenOf(parts, { heldBefore: [known] });
    expect(takenBy(...changes)).toEqual([]);
    expect(takenBy(...changes.filter(({ held }) => held.length === 0))).toEqual(["one"]);
  });

  it("holds again what it took itself, once its account is linked again", () => {
    const first = offerAt("first", 3);
    const changes = [
      makeListingChange({ seen: [first] }),
      makeListingChange({ at: NOON + MINUTE_MS, left: [first.offerId], held: [kept(first)] }),
      makeListingChange({ at: NOON + 2 * MINUTE_MS, freed: [kept(first).blockId] }),
      makeListingChange({ at: NOON + 3 * MINUTE_MS, held: [kept(first)] }),
      makeListingChange({ at: NOON + 4 * MINUTE_MS, seen: [offerAt("beside", 4)] }),
    ];
    expect(takenOf(changes, { captured: new Set([first.offerId]) })).toEqual(["first"]);
  });

  it("keeps the limits, of which blocks from before count", () => {
    const changes = [
      makeListingChange({ seen: [offerAt("one", 3)] }),
      makeListingChange({ at: NOON + MINUTE_MS, seen: [offerAt("two", 7)] }),
    ];
    const settings = settingsOf({ limits: { ...NO_LIMITS, blocksPerDay: 1 } });
    const { taken, passed } = replay(changes, { settings });
    expect(taken.map(({ offer }) => offer.offerId)).toEqual(["one"]);
    expect(passed.get(idOf.offer("two"))?.reasons).toMatchObject([{ code: "day_limit" }]);
    expect(takenOf(changes, { settings, heldBefore: [kept(offerAt("before", -6))] })).toEqual([]);
  });

  it("takes what a rule asks about, as if the driver said yes, and nothing that a rule only tells of", () => {
    const offer = offerAt("a", 3);
    const by = (action: RuleAction) =>
      replay([makeListingChange({ seen: [offer] })], {
        settings: settingsOf({ warehouses: [makeWarehouseFilter({ action })] }),
      });
    expect(by("ask").taken.map(({ offer: { offerId } }) => offerId)).toEqual(["a"]);
    const told = by("tell");
    expect([told.taken, told.passed.get(offer.offerId)?.reasons.map(({ code }) => code)]).toEqual([
      [],
      ["only_told"],
    ]);
  });

  it("names the nearest rule of an offer that it passes over, where its warehouse has more than one", () => {
    const offer = offerAt("a", 3, 5_000);
    const first = { minPriceCents: 9_000, minHourlyCents: 9_000 };
    const ruleOf = (...extraRules: ExtraRule[]) =>
      replay([makeListingChange({ seen: [offer] })], {
        settings: settingsOf({ warehouses: [makeWarehouseFilter({ ...first, extraRules })] }),
      }).passed.get(offer.offerId)?.rule;
    expect(ruleOf()).toBeUndefined();
    expect(ruleOf(makeExtraRule({ minPriceCents: 6_000 }))).toEqual({
      ruleId: "k3f9",
      name: "Sundays",
      number: 2,
    });
  });

  it("judges what is listed again when the settings change", () => {
    const strict = settingsOf({ warehouses: [makeWarehouseFilter({ minPriceCents: 10_000 })] });
    const changes = [
      makeListingChange({ seen: [offerAt("one", 3)] }),
      makeListingChange({ at: NOON + MINUTE_MS }),
    ];
    const settingsAt = (at: number) => (at > NOON ? LOOSE : strict);
    expect(takenOf(changes, { settingsAt })).toEqual(["one"]);
    expect(takenOf(changes, { settingsAt: () => strict })).toEqual([]);
  });

  it("no longer takes what has left, or starts too soon by then", () => {
    const [gone, soon] = [offerAt("gone", 3), offerAt("soon", 1)];
    const first = offerAt("first", 2, 20_000);
    const settings = settingsOf({ warehouses: [makeWarehouseFilter({ bufferMinutes: 50 })] });
    const changes = [
      makeListingChange({ seen: [first, gone, soon] }),
      makeListingChange({ at: NOON + MINUTE_MS, left: [gone.offerId, first.offerId], held: [kept(first)] }),
      makeListingChange({ at: NOON + 20 * MINUTE_MS, freed: [kept(first).blockId] }),
    ];
    expect(takenOf(changes, { settings, captured: new Set([first.offerId]) })).toEqual(["first"]);
  });
});

const LOOSE = settingsOf();

describe("a replay of random listings", () => {
  const listing = fc.record({
    startSlot: fc.nat(14),
    minutes: fc.constantFrom(60, 120, 180, 240),
    pay: fc.integer({ min: 30, max: 200 }),
    from: fc.nat(8),
    stays: fc.integer({ min: 1, max: 8 }),
    isMissed: fc.boolean(),
  });

  it("takes the same as a second computation that looks at every offer at every change", () => {
    fc.assert(
      fc.property(
        fc.array(listing, { maxLength: 9 }),
        fc.constantFrom<Mode>("lucrative", "secure", "masacre"),
        fc.constantFrom(1, 6_000, 10_000),
        fc.nat(8),
        (drawn, mode, minPriceCents, freedAt) => {
          // Distinct pays, so that one set is the best.
          const offers = drawn.map(({ startSlot, minutes, pay }, index) => {
            const startsAt = NOON + HOUR_MS + startSlot * 45 * MINUTE_MS;
            const payCents = pay * 100 + 2 ** index / 8;
            return makeOffer(`o${index}`, {
              startsAt,
              endsAt: startsAt + minutes * MINUTE_MS,
              payCents: Math.round(payCents * 8),
              expiresAt: startsAt,
            });
          });
          const missed = new Set<OfferId>(
            offers.flatMap(({ offerId }, index) => (drawn[index]?.isMissed ? [offerId] : [])),
          );
          const settings = settingsOf(
            { warehouses: [makeWarehouseFilter({ minPriceCents: 8 * minPriceCents })] },
            mode,
          );
          const [first] = offers;
          const changes = Array.from({ length: 18 }, (_, minute) =>
            makeListingChange({
              at: NOON + minute * MINUTE_MS,
              seen: offers.filter((_offer, index) => drawn[index]?.from === minute),
              left: offers.flatMap(({ offerId }, index) => {
                const of = drawn[index];
                return of && of.from + of.stays === minute ? [offerId] : [];
              }),
              held: first && minute === freedAt ? [kept(first)] : [],
              freed: first && minute === freedAt + 1 ? [kept(first).blockId] : [],
            }),
          );
          const captured = new Set(offers.map(({ offerId }) => offerId));
          const taken = takenOf(changes, { settings, missed, captured });
          expect(taken.toSorted()).toEqual(replayByReference(changes, { settings, missed }).toSorted());
        },
      ),
      draws({ whole: 20_000, usual: 300 }),
    );
  });
});
