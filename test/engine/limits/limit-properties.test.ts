import * as fc from "fast-check";
import { expect, it, vi } from "vitest";
import { DURATION_MINUTES } from "../../../db/shapes/work/durations.ts";
import { NO_LIMITS, type Limits, type Mode } from "../../../db/shapes/work/filters.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { compileFilters } from "../../../durable/engine/verdicts/compiled-filters.ts";
import { openLimitBook } from "../../../durable/engine/verdicts/limit-book.ts";
import { selectOffers } from "../../../durable/engine/selection/select.ts";
import { countOf, draws } from "../../support/draws.ts";
import { compileFilters as compileBefore } from "../frozen/compiled-filters.ts";
import { matchOffer as matchBefore } from "../frozen/match.ts";
import { selectOffers as selectBefore } from "../frozen/select.ts";
import {
  at,
  durations,
  idOf,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
  matchContext,
  matchOffer,
  WAREHOUSES_ABROAD as warehouses,
  ZONES,
} from "../fixtures.ts";
import { choiceByReference, keepsLimits } from "./reference-limits.ts";

/** All draws take minutes. */
vi.setConfig({ testTimeout: 600_000 });

/** Around both clock changes, and in an ordinary week, late on a Sunday. */
const NOWS = ["2026-03-08", "2026-11-01", "2026-04-05", "2026-10-04", "2026-06-14"].map((day) =>
  at(`${day}T20:00:00Z`),
);
const modes = fc.constantFrom<Mode[]>("lucrative", "secure", "masacre");

const offerArbitrary = (now: number, name: string): fc.Arbitrary<Offer> =>
  fc
    .record({
      warehouse: fc.nat(ZONES.length),
      quarters: fc.integer({ min: -4, max: 4 * 40 }),
      minutes: fc.constantFrom(45, 60, 75, 90, 120, 150, 180, 240, 300, 400),
      dollars: fc.nat(150),
      leftMinutes: fc.integer({ min: -1, max: 600 }),
      serviceType: fc.constantFrom("parcel", "whole_foods"),
    })
    .map(({ warehouse, quarters, minutes, dollars, leftMinutes, serviceType }) => {
      const startsAt = now + quarters * 15 * MINUTE_MS;
      return makeOffer(name, {
        warehouseId: idOf.warehouse(`W${warehouse}`),
        startsAt,
        endsAt: startsAt + minutes * MINUTE_MS,
        payCents: dollars * 100,
        serviceType,
        expiresAt: now + leftMinutes * MINUTE_MS,
      });
    });

const offersArbitrary = (now: number, most: number) =>
  fc.tuple(...Array.from({ length: most }, (_, index) => offerArbitrary(now, `o${index}`)));

const minute = fc.nat(1439);
const day = fc.record({ active: fc.boolean(), start: minute, end: minute });
const oldFilters = fc
  .record({
    schedule: fc.tuple(day, day, day, day, day, day, day),
    minHourlyCents: fc.option(fc.nat(4000)),
    rules: fc.tuple(
      ...ZONES.map((_zone, index) =>
        fc.record({
          warehouseId: fc.constant(idOf.warehouse(`W${index}`)),
          selected: fc.boolean(),
          minPriceCents: fc.integer({ min: 1, max: 12_000 }),
          bufferMinutes: fc.constantFrom(0, 30, 60, 1440),
          minHourlyCents: fc.oneof(fc.nat(4000), fc.constant(0)),
          durations: fc.subarray([...DURATION_MINUTES]).map((minutes) => durations(...minutes)),
          onlyHourly: fc.boolean(),
        }),
      ),
    ),
  })
  .map(({ rules, ...fields }) =>
    makeFilters({ ...fields, warehouses: rules.map((rule) => makeWarehouseFilter(rule)) }),
  );

it("judges and selects by filters of before as before, to the reason and the order", () => {
  const scene = fc.constantFrom(...NOWS).chain((now) =>
    fc.record({
      now: fc.constant(now),
      filters: oldFilters,
      offers: offersArbitrary(now, 10),
      hand: offerArbitrary(now, "hand"),
      mode: modes,
      specialMode: fc.constantFrom("wf" as const, null, null),
    }),
  );
  fc.assert(
    fc.property(scene, ({ now, filters, offers, hand, mode, specialMode }) => {
      const profile = makeProfile({ filters, mode, specialMode });
      const busy = [makeBlock(hand)];
      const compiled = compileFilters(profile, warehouses);
      const before = compileBefore(profile, warehouses);
      const context = { ...matchContext(compiled, now), busy };
      for (const offer of offers)
        expect(matchOffer(offer, context)).toEqual(matchBefore(offer, { ...context, filters: before }));
      const book = openLimitBook(compiled, [makeBlock(hand)], "USD");
      expect(book).toBeNull();
      expect(selectOffers(mode, { matches: offers, busy, book })).toEqual(
        selectBefore(mode, { matches: offers, busy }),
      );
    }),
    draws({ whole: 10_000, usual: 150 }),
  );
});

const some = <Value>(...values: Value[]) => fc.constantFrom<(Value | null)[]>(null, null, ...values);
const limitsArbitrary: fc.Arbitrary<Limits> = fc.record({
  blocksPerDay: some(1, 2, 3),
  minutesPerDay: some(180, 300, 480),
  minutesPerWeek: some(300, 600, 1200),
  restMinutes: some(15, 60, 480),
  travelMinutes: some(30, 90),
  weekGoalCents: some(10_000, 20_000, 40_000),
});

it("selects under limits what the best of all sets has, in every mode", () => {
  const scene = fc.constantFrom(...NOWS).chain((now) =>
    fc.record({
      offers: fc
        .tuple(offersArbitrary(now, 12), fc.integer({ min: 1, max: 12 }))
        .map(([all, count]) => all.slice(0, count).filter(({ payCents }) => payCents > 0)),
      held: fc
        .tuple(offerArbitrary(now, "h0"), offerArbitrary(now, "h1"))
        .map((all) => all.map((one) => makeBlock(one))),
      limits: limitsArbitrary,
      mode: modes,
    }),
  );
  let bound = 0;
  fc.assert(
    fc.property(scene, ({ offers, held, limits, mode }) => {
      const filters = makeFilters({
        limits,
        warehouses: warehouses.map(({ warehouseId }) => makeWarehouseFilter({ warehouseId })),
      });
      const known = offers.filter(({ warehouseId }) => warehouseId !== `W${ZONES.length}`);
      const compiled = compileFilters(makeProfile({ filters }), warehouses);
      const book = openLimitBook(compiled, held, "USD");
      const chosen = selectOffers(mode, { matches: known, busy: held, book });
      const world = { limits, warehouses, held };
      expect(keepsLimits(chosen, world)).toBe(true);
      const best = choiceByReference(mode, known, world);
      bound += Number(best.length < choiceByReference(mode, known, { ...world, limits: NO_LIMITS }).length);
      const worth = (set: readonly Offer[]) => ({
        payCents: set.reduce((sum, { payCents }) => sum + payCents, 0),
        count: set.length,
        startsAt: set.reduce((sum, { startsAt }) => sum + startsAt, 0),
      });
      if (mode === "lucrative") expect(worth(chosen)).toEqual(worth(best));
      else expect(chosen).toEqual(best);
    }),
    draws({ whole: 20_000, usual: 100 }),
  );
  expect(bound).toBeGreaterThanOrEqual(countOf({ whole: 1, usual: 1, few: 0 }));
});

it("improves a greedy set of more than sixteen offers, and breaks no limit", () => {
  const [now] = NOWS;
  if (now === undefined) throw new Error("no instant");
  fc.assert(
    fc.property(offersArbitrary(now, 40), limitsArbitrary, (offers, limits) => {
      const filters = makeFilters({ limits });
      const compiled = compileFilters(makeProfile({ filters }), warehouses);
      const known = offers.filter(({ warehouseId }) => warehouseId !== `W${ZONES.length}`);
      const book = openLimitBook(compiled, [], "USD");
      const chosen = selectOffers("lucrative", { matches: known, busy: [], book });
      const greedy = selectOffers("masacre", { matches: known, busy: [], book });
      const payOf = (set: readonly Offer[]) => set.reduce((sum, { payCents }) => sum + payCents, 0);
      expect(keepsLimits(chosen, { limits, warehouses, held: [] })).toBe(true);
      expect(payOf(chosen)).toBeGreaterThanOrEqual(payOf(greedy));
    }),
    draws({ whole: 300, usual: 10 }),
  );
});
