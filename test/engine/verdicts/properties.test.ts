import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { DURATION_MINUTES } from "../../../db/shapes/work/durations.ts";
import { overlaps } from "../../../durable/engine/verdicts/match.ts";
import { compileFilters } from "../../../durable/engine/verdicts/compiled-filters.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { PlatformFailure } from "../../../durable/engine/state/outcomes.ts";
import type { Profile } from "../../../db/shapes/profile.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { matchesByReference } from "./reference-matcher.ts";
import { SimulatedPlatform, runSimulation } from "../simulate.ts";
import type { ListedOffer } from "../fixtures.ts";
import {
  at,
  durations,
  idOf,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
  activeState,
  matchContext,
  matchOffer,
  SETTINGS,
  WAREHOUSES_ABROAD as warehouses,
  ZONES,
} from "../fixtures.ts";
import { countOf, draws } from "../../support/draws.ts";

/** Thousands of property runs take seconds on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

/** Days around both clock changes, in both hemispheres, and one in an ordinary week. */
const DAYS = [
  "2026-03-08",
  "2026-11-01",
  "2026-04-05",
  "2026-10-04",
  "2018-02-18",
  "2018-11-04",
  "2026-06-10",
].map((day) => at(`${day}T04:00:00Z`));

const minute = fc.nat(1439);
const day = fc.record({
  active: fc.boolean(),
  start: minute,
  end: fc.oneof(minute, fc.constantFrom(0, 90, 120, 150)),
});
const flags = fc.subarray([...DURATION_MINUTES]).map((minutes) => durations(...minutes));

const warehouseFilter = (index: number) =>
  fc
    .record({
      selected: fc.boolean(),
      minPriceCents: fc.integer({ min: 1, max: 12_000 }),
      bufferMinutes: fc.constantFrom(0, 30, 60, 1440),
      minHourlyCents: fc.oneof(fc.nat(4000), fc.constant(0)),
      durations: flags,
      onlyHourly: fc.boolean(),
    })
    .map((fields) => makeWarehouseFilter({ ...fields, warehouseId: idOf.warehouse(`W${index}`) }));

const profile: fc.Arbitrary<Profile> = fc
  .record({
    schedule: fc.tuple(day, day, day, day, day, day, day),
    minHourlyCents: fc.option(fc.nat(4000)),
    warehouseFilters: fc.tuple(...ZONES.map((_zone, index) => warehouseFilter(index))),
    mode: fc.constantFrom("lucrative", "secure", "masacre"),
    specialMode: fc.constantFrom("wf", null, null),
  })
  .map(({ schedule, minHourlyCents, warehouseFilters, mode, specialMode }) =>
    makeProfile({
      mode,
      specialMode,
      serviceUntil: at("2030-01-01T00:00:00Z"),
      filters: makeFilters({ schedule, minHourlyCents, warehouses: warehouseFilters }),
    }),
  );

const offerAround = (now: number, name: string): fc.Arbitrary<Offer> =>
  fc
    .record({
      warehouse: fc.nat(ZONES.length),
      startMinutes: fc.integer({ min: -60, max: 3 * 24 * 60 }),
      minutes: fc.integer({ min: 40, max: 400 }),
      payCents: fc.oneof(
        { weight: 9, arbitrary: fc.nat(20_000) },
        { weight: 1, arbitrary: fc.constantFrom(0, 1) },
      ),
      leftMinutes: fc.integer({ min: -1, max: 600 }),
      serviceType: fc.constantFrom("parcel", "whole_foods"),
    })
    .map(({ warehouse, startMinutes, minutes, payCents, leftMinutes, serviceType }) => {
      const startsAt = now + startMinutes * MINUTE_MS;
      return makeOffer(name, {
        warehouseId: idOf.warehouse(`W${warehouse}`),
        startsAt,
        endsAt: startsAt + minutes * MINUTE_MS,
        payCents,
        serviceType,
        expiresAt: now + leftMinutes * MINUTE_MS,
      });
    });

const names = Array.from({ length: 30 }, (_, index) => `o${index}`);
const scene = fc.constantFrom(...DAYS).chain((now) =>
  fc.record({
    now: fc.constant(now),
    profile,
    offers: fc.tuple(...names.map((name) => offerAround(now, name))),
    hand: offerAround(now, "hand"),
  }),
);

it("judges like the reference matcher, in six time zones and across clock changes", () => {
  let matches = 0;
  fc.assert(
    fc.property(scene, ({ now, profile, offers, hand }) => {
      const held = [makeBlock(hand)];
      const compiled = compileFilters(profile, warehouses);
      for (const offer of offers) {
        const isMatch = matchOffer(offer, { ...matchContext(compiled, now), busy: held }).length === 0;
        matches += Number(isMatch);
        expect([offer, isMatch]).toEqual([
          offer,
          matchesByReference(offer, { profile, warehouses, held, now }),
        ]);
      }
    }),
    draws({ whole: 3_000, usual: 100 }),
  );
  expect(matches).toBeGreaterThanOrEqual(countOf({ whole: 1, usual: 1, few: 0 }));
});

/** Failures of platform calls, before or after they take effect. */
const failures: PlatformFailure[] = [
  { kind: "timeout" },
  { kind: "unreachable" },
  { kind: "unreadable" },
  { kind: "rate_limited", retryAt: null },
];
const trouble = fc.array(
  fc.option(
    fc
      .record({ failure: fc.constantFrom(...failures), hasEffect: fc.boolean() })
      .map(({ failure, hasEffect }) => ({
        failure,
        hasEffect: hasEffect && failure.kind !== "rate_limited",
      })),
    { freq: 2 },
  ),
  { minLength: 1, maxLength: 12 },
);

/** How long calls take: up to the longest wait for an accept. */
const latencies = fc.array(fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 8000 })), {
  minLength: 1,
  maxLength: 12,
});

function latencyOf(latencies: readonly number[]): () => number {
  let calls = 0;
  return () => latencies[(calls += 1) % latencies.length] ?? 40;
}

/** Loose filters, so that many offers are accepted. */
const easy = fc.constantFrom("lucrative", "secure", "masacre").map((mode) =>
  makeProfile({
    mode,
    serviceUntil: at("2030-01-01T00:00:00Z"),
    filters: makeFilters({
      warehouses: ZONES.map((_zone, index) =>
        makeWarehouseFilter({ warehouseId: idOf.warehouse(`W${index}`), minPriceCents: 4000 }),
      ),
    }),
  }),
);

describe("for any offers, filters and faults", () => {
  it("accepts only matches, and nothing that overlaps another accept, a held block or an unsettled attempt", () => {
    let accepts = 0;
    fc.assert(
      fc.property(
        scene,
        fc.oneof(profile, easy),
        trouble,
        fc.array(fc.nat(200), { minLength: 30, maxLength: 30 }),
        latencies,
        ({ now, offers, hand }, profile, trouble, seconds, latencies) => {
          let calls = 0;
          const listedOffers = offers.map((offer, index): ListedOffer => {
            const from = now + (seconds[index] ?? 0) * 1000;
            return { offer, from, to: from + 5 * MINUTE_MS };
          });
          const platform = new SimulatedPlatform({
            listedOffers,
            fault: () => trouble[(calls += 1) % trouble.length] ?? null,
          });
          platform.blocks = [makeBlock(hand)];
          const start = activeState({ profile, warehouses });
          runSimulation(
            { ...start, transient: { ...start.transient, heldFetchedAt: null } },
            { platform, from: now, until: now + 5 * MINUTE_MS, callMs: latencyOf(latencies) },
          );

          for (const { at: sentAt, attempt, state } of platform.accepts) {
            const others = [...state.openAttempts.values()].filter(
              ({ attemptId }) => attemptId !== attempt.attemptId,
            );
            const spans = [...state.held, ...others.map(({ offer }) => offer)].filter(
              ({ offerId }) => offerId !== attempt.offer.offerId,
            );
            expect(spans.filter((span) => overlaps(span, attempt.offer))).toEqual([]);
            expect(
              matchesByReference(
                { ...attempt.offer, expiresAt: Infinity },
                { profile, warehouses, held: state.held, now: sentAt },
              ),
            ).toBe(true);
            accepts += 1;
          }
          const accepted = platform.blocks.filter(({ offerId }) => offerId !== "hand");
          for (const [index, one] of accepted.entries()) {
            expect(accepted.slice(index + 1).filter((other) => overlaps(one, other))).toEqual([]);
          }
        },
      ),
      draws({ whole: 300, usual: 20 }),
    );
    // A few draws may have no offer that is wanted.
    expect(accepts).toBeGreaterThanOrEqual(countOf({ whole: 30, usual: 0, few: 0 }));
  });

  it("settles every attempt as the platform did, and notifies once per block", () => {
    fc.assert(
      fc.property(scene, easy, trouble, latencies, ({ now, offers }, profile, trouble, latencies) => {
        let calls = 0;
        const platform = new SimulatedPlatform({
          listedOffers: offers.map((offer) => ({ offer, from: now, to: now + 8 * MINUTE_MS })),
          fault: (_call, at) =>
            at < now + 3 * MINUTE_MS ? (trouble[(calls += 1) % trouble.length] ?? null) : null,
        });
        const start = activeState({ profile, warehouses });
        const unread = { ...start, transient: { ...start.transient, heldFetchedAt: null } };
        const { state, log, notifications } = runSimulation(unread, {
          platform,
          from: now,
          until: now + 20 * MINUTE_MS,
          callMs: latencyOf(latencies),
        });
        expect([...state.openAttempts.values()]).toEqual([]);
        const won = log.flatMap((event) =>
          event.kind === "attempt_settled" && event.attempt.outcome.status === "won"
            ? [event.attempt.offer.offerId]
            : [],
        );
        expect(won.toSorted()).toEqual(platform.blocks.map(({ offerId }) => offerId).toSorted());
        expect(notifications.filter(({ kind }) => kind === "captured")).toHaveLength(won.length);
        const started = log.filter(({ kind }) => kind === "attempt_started").length;
        // One that was given up at its offer's start is settled anew if its block is found later.
        const settled = log.flatMap((event) =>
          event.kind === "attempt_settled" ? [event.attempt.attemptId] : [],
        );
        expect(new Set(settled).size).toBe(started);
      }),
      draws({ whole: 50, usual: 4 }),
    );
  });
});

it("simulates a week: sleeps while no offer can match, polls otherwise, and accepts what matches", () => {
  const monday = at("2026-06-08T00:00:00-04:00");
  const POLL_EVERY_MS = 10_000;
  const workdays = countOf({ whole: 5, usual: 1 });
  const schedule = makeProfile().filters.schedule.map((day, index) => ({
    ...day,
    active: index < workdays,
    start: 9 * 60,
    end: 17 * 60,
  }));
  const [a, b, c, d, e, f, g] = schedule;
  if (!a || !b || !c || !d || !e || !f || !g) throw new Error("a week has seven days");
  const filters = makeFilters({
    schedule: [a, b, c, d, e, f, g],
    warehouses: [makeWarehouseFilter({ bufferMinutes: 30, minHourlyCents: 2500 })],
  });
  const state = activeState({ profile: makeProfile({ filters, serviceUntil: monday + 30 * DAY_MS }) });
  // An offer every hour that starts three hours later; every second one pays too little.
  const listedOffers = Array.from({ length: 7 * 24 }, (_, hour): ListedOffer => {
    const from = monday + hour * HOUR_MS + 10 * MINUTE_MS;
    const offer = makeOffer(`h${hour}`, {
      startsAt: monday + (hour + 3) * HOUR_MS,
      payCents: hour % 2 ? 9000 : 6000,
    });
    return { offer, from, to: from + 20 * MINUTE_MS };
  });
  const platform = new SimulatedPlatform({ listedOffers });
  let writes = 0;
  const { log, notifications, wakes } = runSimulation(state, {
    platform,
    from: monday,
    until: monday + 7 * DAY_MS,
    settings: { ...SETTINGS, offerHorizonMs: 3 * HOUR_MS, pollFloorMs: POLL_EVERY_MS },
    onStep: (before, after) => {
      writes += Number(
        Object.entries(after).some(
          ([key, value]) => key !== "transient" && value !== Reflect.get(before, key),
        ),
      );
    },
  });
  const starts = platform.blocks.map(({ startsAt }) => (startsAt - monday) / HOUR_MS);
  // Odd hours pay enough. Of those, the blocks that start at 10 and 14 don't overlap.
  const days = Array.from({ length: workdays }, (_, day) => day);
  expect(starts).toEqual(days.flatMap((day) => [10, 14].map((hour) => 24 * day + hour)));
  const told = notifications.map(({ kind }) => kind);
  const times = (wanted: string) => told.filter((kind) => kind === wanted).length;
  // Of each block, that it was captured, and twice that it can still be given back.
  expect([times("captured"), times("give_back_ahead"), told.length]).toEqual(
    [2, 4, 6].map((count) => count * workdays),
  );
  // Awake from 06:00, three hours before the window opens, to 16:30, half an hour before it closes.
  const awakeMs = workdays * 10.5 * HOUR_MS;
  expect(wakes).toBeGreaterThan((0.95 * awakeMs) / POLL_EVERY_MS);
  expect(wakes).toBeLessThan((1.05 * awakeMs) / POLL_EVERY_MS);
  // Asleep after each workday, awake again before all but the first.
  expect(log.filter(({ kind }) => kind === "phase_changed")).toHaveLength(2 * workdays - 1);
  expect(writes).toBeLessThan(400);
});
