import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ListingChange } from "../../../db/shapes/log/listing.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import {
  countOfferHours,
  weekHourOf,
  type OfferHoursContext,
} from "../../../durable/engine/statistics/offer-hours.ts";
import { createZone } from "../../../durable/engine/schedule/zone.ts";
import { draws } from "../../support/draws.ts";
import { at, BETHPAGE, idOf, makeListingChange, makeOffer, makeWarehouse, NOON } from "../fixtures.ts";
import { offerHoursByReference } from "./reference-offer-hours.ts";

const ELSEWHERE = idOf.warehouse("ELSEWHERE");

const count = (changes: readonly ListingChange[], fields: Partial<OfferHoursContext> = {}) =>
  countOfferHours({
    changes,
    from: 0,
    captured: new Set(),
    warehouses: [makeWarehouse()],
    currency: "USD",
    ...fields,
  });

/** One hour at so much, that starts two hours after noon. */
const paying = (name: string, payCents: number, fields: Partial<Offer> = {}) =>
  makeOffer(name, { startsAt: NOON + 2 * HOUR_MS, endsAt: NOON + 3 * HOUR_MS, payCents, ...fields });

/** Wednesday, noon to 1 PM. */
const WEDNESDAY_NOON = 2 * 24 + 12;

describe("the hours of offers", () => {
  it("count each offer once, at its first sight and by its pay then", () => {
    const changes = [
      makeListingChange({ seen: [paying("a", 2_000), paying("b", 3_000), paying("c", 2_600)] }),
      makeListingChange({ at: NOON + HOUR_MS, seen: [paying("a", 9_000)] }),
      makeListingChange({
        at: NOON + HOUR_MS + 40_000,
        left: [idOf.offer("a"), idOf.offer("b"), idOf.offer("c")],
      }),
      makeListingChange({ at: NOON + 2 * HOUR_MS, seen: [paying("b", 9_000)] }),
    ];
    expect(count(changes, { captured: new Set([idOf.offer("c")]) })).toEqual([
      {
        warehouseId: BETHPAGE,
        offers: 3,
        unplaced: 0,
        best: null,
        hours: [
          {
            hour: WEDNESDAY_NOON,
            offers: 3,
            medianHourlyCents: 2_600,
            bestHourlyCents: 3_000,
            halfGoneMs: HOUR_MS + 40_000,
            captured: 1,
            startHour: WEDNESDAY_NOON + 2,
          },
        ],
      },
    ]);
  });

  it("don't know when an offer appeared that a look found listed already", () => {
    const changes = [
      makeListingChange({ isAfterPause: true, seen: [paying("a", 2_000), paying("b", 2_000)] }),
      makeListingChange({ at: NOON + MINUTE_MS, seen: [paying("c", 3_000)] }),
    ];
    expect(count(changes)).toMatchObject([{ offers: 3, unplaced: 2, hours: [{ offers: 1 }] }]);
  });

  it("leave out what came before the time, another currency, and a warehouse without a clock", () => {
    const changes = [
      makeListingChange({ seen: [paying("old", 2_000)] }),
      makeListingChange({
        at: NOON + MINUTE_MS,
        seen: [
          paying("old", 2_500),
          paying("new", 2_000),
          paying("pesos", 2_000, { currency: "MXN" }),
          paying("elsewhere", 2_000, { warehouseId: ELSEWHERE }),
        ],
      }),
    ];
    const warehouses = [makeWarehouse(), makeWarehouse({ warehouseId: ELSEWHERE, timeZone: "Mars/Olympus" })];
    expect(count(changes, { from: NOON + 1, warehouses })).toMatchObject([
      { warehouseId: BETHPAGE, offers: 1 },
    ]);
  });

  it("take a captured offer, one that is still there and one that left unseen for a stay of so long at least", () => {
    const stays = (ends: readonly Partial<ListingChange>[], captured: readonly string[] = []) =>
      count(
        [
          makeListingChange({ seen: [paying("a", 2_000), paying("b", 2_000)] }),
          ...ends.map(makeListingChange),
        ],
        {
          captured: new Set(captured.map(idOf.offer)),
        },
      )[0]?.hours[0]?.halfGoneMs;
    const [a, b] = [idOf.offer("a"), idOf.offer("b")];
    expect(stays([{ at: NOON + 5_000, left: [a] }])).toBe(5_000);
    expect(stays([{ at: NOON + 5_000, left: [a] }], ["a"])).toBeNull();
    expect(stays([{ at: NOON + 5_000, isAfterPause: true, left: [a, b] }])).toBeNull();
    // One was captured early: of the one that was still watched half had not left before it left.
    const [early, late] = [NOON + 5_000, NOON + 60_000];
    expect(
      stays(
        [
          { at: early, left: [a] },
          { at: late, left: [b] },
        ],
        ["a"],
      ),
    ).toBe(60_000);
  });

  it.each([
    ["a neighbor with half as many", [6, 3, 2], { from: 12, hours: 2, offers: 9 }],
    ["both neighbors", [4, 6, 5], { from: 12, hours: 3, offers: 15 }],
    ["neither", [2, 6, 2], { from: 13, hours: 1, offers: 6 }],
    ["three hours at most", [5, 6, 6, 5], { from: 13, hours: 3, offers: 17 }],
  ])("are best at the fullest hour with %s", (_name, offers, best) => {
    const changes = offers.flatMap((most, hour) =>
      makeListingChange({
        at: NOON + hour * HOUR_MS,
        seen: Array.from({ length: most }, (_, index) =>
          paying(`${hour}-${index}`, most === 6 ? 2_000 + hour : 1_000),
        ),
      }),
    );
    expect(count(changes)[0]?.best).toMatchObject({ ...best, from: 2 * 24 + best.from });
  });

  it("are best at the hour with most offers even if another pays more, and at the one that pays more of two as full", () => {
    const bestOf = (offers: readonly [number, number][]) =>
      count(
        offers.map(([most, payCents], hour) =>
          makeListingChange({
            at: NOON + 4 * hour * HOUR_MS,
            seen: Array.from({ length: most }, (_, index) => paying(`${hour}-${index}`, payCents)),
          }),
        ),
      )[0]?.best?.from;
    const first = WEDNESDAY_NOON;
    expect(
      bestOf([
        [6, 1_000],
        [5, 9_000],
      ]),
    ).toBe(first);
    expect(
      bestOf([
        [6, 1_000],
        [6, 9_000],
      ]),
    ).toBe(first + 4);
    expect(
      bestOf([
        [6, 1_000],
        [6, 1_000],
      ]),
    ).toBe(first);
  });

  it("name no best hours of fewer than five offers, and run past the end of the week", () => {
    const late = at("2026-06-14T23:30:00-04:00");
    const changes = (most: number) =>
      [late, late + HOUR_MS].map((time, hour) =>
        makeListingChange({
          at: time,
          seen: Array.from({ length: most - hour }, (_, index) => paying(`${hour}-${index}`, 2_000)),
        }),
      );
    expect(count(changes(2))[0]?.best).toBeNull();
    expect(count(changes(3))[0]?.best).toMatchObject({ from: 167, hours: 2, offers: 5 });
  });

  it("put first the warehouse with the fullest hours, also beside one that has more offers in all", () => {
    const warehouses = [makeWarehouse(), makeWarehouse({ warehouseId: ELSEWHERE })];
    const some = (of: string, many: number, fields: Partial<Offer> = {}) =>
      Array.from({ length: many }, (_, index) => paying(`${of}${index}`, 2_000, fields));
    const full = some("e", 6, { warehouseId: ELSEWHERE });
    const order = (...changes: ListingChange[]) =>
      count(changes, { warehouses }).map(({ warehouseId }) => warehouseId);
    expect(order(makeListingChange({ seen: [...some("a", 1), ...full] }))).toEqual([ELSEWHERE, BETHPAGE]);
    const more = [
      makeListingChange({ seen: [...some("a", 5), ...full] }),
      makeListingChange({ at: NOON + 4 * HOUR_MS, seen: some("b", 4) }),
    ];
    expect(order(...more)).toEqual([ELSEWHERE, BETHPAGE]);
  });
});

describe("the hour of the week", () => {
  it.each([
    ["Monday at midnight", "2026-06-15T00:00:00-04:00", "America/New_York", 0],
    ["the last of Sunday", "2026-06-14T23:59:59-04:00", "America/New_York", 167],
    ["before the clock goes ahead", "2026-03-08T01:59:59-05:00", "America/New_York", 6 * 24 + 1],
    ["after it, where 2 AM is skipped", "2026-03-08T03:00:00-04:00", "America/New_York", 6 * 24 + 3],
    ["the first 1 AM of autumn", "2026-11-01T01:30:00-04:00", "America/New_York", 6 * 24 + 1],
    ["the second 1 AM of autumn", "2026-11-01T01:30:00-05:00", "America/New_York", 6 * 24 + 1],
    ["a day later than in New York", "2026-06-14T23:30:00-04:00", "Europe/Madrid", 5],
    ["a day earlier than in New York", "2026-06-15T00:30:00-04:00", "America/Los_Angeles", 6 * 24 + 21],
    ["half an hour off", "2026-06-15T00:00:00Z", "Asia/Kolkata", 5],
    ["without a change of clocks", "2026-07-01T12:00:00Z", "America/Phoenix", 2 * 24 + 5],
  ])("is the warehouse's: %s", (_name, instant, timeZone, hour) => {
    expect(weekHourOf(createZone(timeZone), at(instant))).toBe(hour);
  });
});

const ZONES = ["America/New_York", "America/Los_Angeles", "Asia/Kolkata"];
const PLACES = ZONES.map((timeZone, index) =>
  makeWarehouse({ timeZone, warehouseId: idOf.warehouse(`W${index}`) }),
);

/** A log around an end of daylight time: offers that come, change, leave and come back, with pauses. */
const arbitraryLog = fc
  .array(
    fc.record({
      afterMs: fc.oneof(fc.integer({ min: 500, max: 90_000 }), fc.integer({ min: 0, max: 6 * HOUR_MS })),
      isAfterPause: fc.integer({ min: 0, max: 4 }).map((roll) => roll === 0),
      seen: fc.array(
        fc.record({
          id: fc.integer({ min: 0, max: 60 }),
          place: fc.integer({ min: 0, max: PLACES.length - 1 }),
          payCents: fc.integer({ min: 1, max: 20_000 }),
          inHours: fc.integer({ min: 0, max: 30 }),
          minutes: fc.integer({ min: 15, max: 300 }),
          isForeign: fc.integer({ min: 0, max: 9 }).map((roll) => roll === 0),
        }),
        { maxLength: 6 },
      ),
      left: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 5 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((steps): ListingChange[] => {
    let now: EpochMs = at("2026-10-31T18:00:00-04:00");
    return steps.map(({ afterMs, isAfterPause, seen, left }) => {
      now += afterMs;
      return makeListingChange({
        at: now,
        isAfterPause,
        seen: seen.map(({ id, place, payCents, inHours, minutes, isForeign }) =>
          makeOffer(`o${id}`, {
            warehouseId: idOf.warehouse(`W${place}`),
            payCents,
            startsAt: now + inHours * HOUR_MS,
            endsAt: now + inHours * HOUR_MS + minutes * MINUTE_MS,
            ...(isForeign && { currency: "MXN" }),
          }),
        ),
        left: left.map((id) => idOf.offer(`o${id}`)),
      });
    });
  });

describe("a second count", () => {
  it("agrees on any log", () => {
    fc.assert(
      fc.property(
        arbitraryLog,
        fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 20 }),
        fc.integer({ min: 0, max: 20 }),
        (changes, capturedIds, skipped) => {
          const context = {
            changes,
            from: changes[Math.min(skipped, changes.length - 1)]?.at ?? 0,
            captured: new Set(capturedIds.map((id) => idOf.offer(`o${id}`))),
            warehouses: PLACES,
            currency: "USD",
          };
          const byPlace = new Map(countOfferHours(context).map((each) => [each.warehouseId, each]));
          const expected = offerHoursByReference(context);
          expect(byPlace.size).toBe(expected.length);
          for (const { stretch, ...reference } of expected) {
            const counted = byPlace.get(reference.warehouseId);
            const best = counted?.best ?? null;
            expect(counted).toEqual({ ...reference, best });
            if (best) expect(best).toEqual({ ...best, ...stretch(best.from, best.hours) });
          }
        },
      ),
      draws({ whole: 20_000, usual: 80 }),
    );
  });
});
