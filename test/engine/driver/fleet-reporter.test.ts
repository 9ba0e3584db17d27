import { describe, expect, it } from "vitest";
import { latenessAt, shardOf, type LatenessBin } from "../../../db/shapes/fleet.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { makeOffer, NOON } from "../fixtures.ts";
import { UNCHANGED } from "../steps.ts";
import { FAILED, openReporter, owner, POLLING, someone, stateIn } from "./reporter-harness.ts";

describe("a driver's reports to the fleet", () => {
  it("are sent before a driver's system sleeps, which may leave memory then, whatever was sent a minute ago", async () => {
    const fleet = openReporter();
    const asleep = stateIn({ kind: "asleep", until: NOON + DAY_MS });
    await fleet.step(UNCHANGED, POLLING);
    for (let poll = 0; poll < 21; poll += 1) {
      fleet.clock.now += 3_000;
      await fleet.step(UNCHANGED, POLLING);
    }
    await fleet.step(UNCHANGED, asleep);
    expect(fleet.rows(`SELECT sum(answered) AS answered FROM fleet_hours`)).toEqual([{ answered: 23 }]);
    const written = fleet.written();
    for (let minute = 0; minute < 30; minute += 1) {
      fleet.clock.now += MINUTE_MS;
      await fleet.step({ kind: "woke" }, asleep);
    }
    expect(fleet.written() - written).toBeLessThanOrEqual(1);
  });

  it("lose nothing of an object that leaves memory between two calls, and write nothing of one that stays", async () => {
    const fleet = openReporter();
    const unreachable = stateIn({ kind: "unreachable", retryAt: NOON });
    for (let poll = 0; poll < 30; poll += 1) {
      await fleet.step(UNCHANGED, POLLING);
      fleet.rest(8_000);
    }
    expect(fleet.keptWrites()).toBe(0);
    for (let poll = 0; poll < 12; poll += 1) {
      await fleet.step(FAILED, unreachable);
      fleet.rest(60_000);
    }
    fleet.clock.now += 16 * MINUTE_MS;
    await fleet.step(UNCHANGED, POLLING);
    expect(fleet.rows(`SELECT sum(answered) AS answered, sum(failed) AS failed FROM fleet_hours`)).toEqual([
      { answered: 31, failed: 12 },
    ]);
    expect(fleet.keptWrites()).toBeLessThanOrEqual(24);
  });

  it("keep what was counted while D1 is down, through the object's lives", async () => {
    const fleet = openReporter();
    fleet.failing.isDown = true;
    for (let poll = 0; poll < 6; poll += 1) {
      await fleet.step(FAILED, POLLING);
      fleet.rest(30_000);
    }
    fleet.failing.isDown = false;
    await fleet.step(UNCHANGED, POLLING);
    expect(fleet.rows(`SELECT answered, failed FROM fleet_hours`)).toEqual([{ answered: 1, failed: 6 }]);
  });

  it("count polls, offers, matches and refusals by the driver's city, and when each was last", async () => {
    const fleet = openReporter();
    const before = { ...POLLING, transient: { ...POLLING.transient, lastPollAnsweredAt: NOON - 9_600 } };
    const offer = makeOffer("o1");
    const judged = { kind: "offer_judged" as const, at: NOON, offer, reasons: [], filtersVersion: 1 };
    const suspected = { kind: "silence_suspected" as const, at: NOON, lastNewAt: NOON };
    fleet.note({
      before,
      event: UNCHANGED,
      state: before,
      effects: [{ kind: "log", events: [judged, suspected] }],
    });
    const verdict = { offer, reasons: [], filtersVersion: 1, judgedAt: NOON, firstSeenAt: NOON };
    const seen = { ...before, verdicts: new Map([[offer.offerId, verdict]]) };
    fleet.note({ before: seen, event: UNCHANGED, state: seen, effects: [{ kind: "log", events: [judged] }] });
    fleet.rest(20_000);
    fleet.clock.now += 16 * MINUTE_MS;
    await fleet.step(FAILED, POLLING);
    await fleet.step({ kind: "polled", sentAt: NOON, outcome: { kind: "signed_out" } }, POLLING);
    fleet.clock.now += 6 * MINUTE_MS;
    await fleet.step({ kind: "woke" }, POLLING);
    const at = NOON + 16 * MINUTE_MS + 20_000;
    expect(fleet.rows(`SELECT * FROM city_hours`)).toEqual([
      {
        hour: NOON / 3_600_000,
        city: "other",
        looked_seconds: 19,
        offers: 1,
        matches: 1,
        captures: 0,
        losses: 0,
        answered: 2,
        refused: 1,
        failed: 1,
        soft_blocks: 1,
        call_at: at,
        offer_at: NOON,
        match_at: NOON,
        capture_at: 0,
        loss_at: 0,
      },
    ]);
  });

  it("say within 63 seconds that the platform doesn't answer, whatever was sent a moment before", async () => {
    const fleet = openReporter();
    const unreachable = stateIn({ kind: "unreachable", retryAt: NOON });
    await fleet.step(UNCHANGED, POLLING);
    const failedAt = NOON + 1_000;
    for (const waitedMs of [0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000]) {
      fleet.clock.now = failedAt + waitedMs;
      await fleet.step(FAILED, unreachable);
    }
    expect(fleet.rows(`SELECT state, since FROM driver_states`)).toEqual([
      { state: "unreachable", since: failedAt },
    ]);
  });

  it("say nothing of an outage that ends before it lasts", async () => {
    const fleet = openReporter();
    await fleet.step(UNCHANGED, POLLING);
    const states = fleet.rows(`SELECT state, since FROM driver_states`);
    for (let second = 1; second < 60; second += 10) {
      fleet.clock.now = NOON + second * 1_000;
      await fleet.step(FAILED, stateIn({ kind: "unreachable", retryAt: NOON }));
      expect(fleet.rows(`SELECT state, since FROM driver_states`)).toEqual(states);
    }
  });

  it("say at once that a driver must link again, and since when", async () => {
    const fleet = openReporter();
    await fleet.step(UNCHANGED, POLLING);
    fleet.clock.now += MINUTE_MS;
    await fleet.step(
      { kind: "polled", sentAt: NOON, outcome: { kind: "signed_out" } },
      { ...stateIn({ kind: "needs_link" }), link: { status: "signed_out" } },
    );
    expect(fleet.rows(`SELECT * FROM driver_states`)).toEqual([
      { driver_id: someone, state: "signed_out", since: fleet.clock.now, reported_at: fleet.clock.now },
    ]);
    expect(fleet.rows(`SELECT answered, unauthorized FROM fleet_hours`)).toEqual([
      { answered: 1, unauthorized: 1 },
    ]);
  });

  it("add what could not be sent to the next one, and don't ask a D1 that is down at every poll", async () => {
    const fleet = openReporter();
    await fleet.step(UNCHANGED, POLLING);
    fleet.failing.isDown = true;
    const before = fleet.failing.trips;
    const end = NOON + 20 * MINUTE_MS;
    for (; fleet.clock.now < end; fleet.clock.now += 3_000) await fleet.step(FAILED, POLLING);
    expect(fleet.failing.trips - before).toBeLessThanOrEqual(16);
    expect(new Set(fleet.logged)).toEqual(new Set(["fleet.report.failed"]));
    fleet.failing.isDown = false;
    fleet.clock.now += MINUTE_MS;
    await fleet.step(FAILED, POLLING);
    expect(fleet.rows(`SELECT sum(answered) AS answered, sum(failed) AS failed FROM fleet_hours`)).toEqual([
      { answered: 1, failed: 401 },
    ]);
  });

  it("count calls without an answer by what was in their way", async () => {
    const fleet = openReporter();
    for (const cause of ["dns", "tls", "refused", "reset", "timed_out", "other", undefined] as const) {
      const outcome = { kind: "unreachable", ...(cause && { cause }) } as const;
      await fleet.step({ kind: "polled", sentAt: NOON, outcome }, POLLING);
    }
    fleet.clock.now += 6 * MINUTE_MS;
    await fleet.step(UNCHANGED, POLLING);
    const columns = "name_not_found, untrusted, not_listening, disconnected, timed_out, failed";
    const counts = {
      name_not_found: 1,
      untrusted: 1,
      not_listening: 1,
      disconnected: 1,
      timed_out: 1,
      failed: 2,
    };
    const sums = columns.split(", ").map((name) => `sum(${name}) AS ${name}`);
    expect(fleet.rows(`SELECT ${sums.join(", ")} FROM fleet_hours`)).toEqual([counts]);
  });

  it("are not sent again by the next life of an object that remembers what it sent, which still tells of an outage", async () => {
    const fleet = openReporter();
    const unreachable = stateIn({ kind: "unreachable", retryAt: NOON });
    let reporter = fleet.evicted();
    let trips = 0;
    for (const state of [POLLING, POLLING, unreachable, unreachable, unreachable, unreachable]) {
      reporter.note({ before: state, event: UNCHANGED, state, effects: [] }, fleet.clock.now);
      const before = fleet.failing.trips;
      await reporter.report(owner, state, fleet.clock.now);
      trips += fleet.failing.trips - before;
      const next = fleet.evicted();
      next.restore(reporter.intervals);
      reporter = next;
      fleet.clock.now += 30_000;
    }
    expect(trips).toBe(2);
    expect(fleet.rows(`SELECT state, since FROM driver_states`)).toEqual([
      { state: "unreachable", since: NOON + MINUTE_MS },
    ]);
  });

  it("write nothing where an object that was evicted says what it said before", async () => {
    const fleet = openReporter();
    await fleet.step(UNCHANGED, POLLING);
    const before = fleet.rows(`SELECT * FROM driver_states`);
    const written = fleet.written();
    fleet.clock.now += MINUTE_MS;
    await fleet.evicted().report(owner, POLLING, fleet.clock.now);
    expect(fleet.written()).toBe(written);
    expect(fleet.rows(`SELECT * FROM driver_states`)).toEqual(before);
  });
});

describe("the lateness of polls", () => {
  const counts = (some: Partial<Record<LatenessBin, number>>) => ({
    late50: 0,
    late100: 0,
    late250: 0,
    late500: 0,
    late1000: 0,
    late2500: 0,
    late10000: 0,
    lateMore: 0,
    ...some,
  });

  it.each([
    [0.5, { late50: 98, late500: 1, lateMore: 1 }, 50],
    [0.99, { late50: 98, late500: 1, lateMore: 1 }, 500],
    [0.999, { late50: 98, late500: 1, lateMore: 1 }, null],
    [0.5, {}, undefined],
  ])("at %d of %o is %s", (share, some, expected) => {
    expect(latenessAt(share, counts(some))).toBe(expected);
  });
});

it("spreads ten thousand drivers over the rows of an hour", () => {
  const rows = Map.groupBy(
    Array.from({ length: 10_000 }, () => crypto.randomUUID()),
    shardOf,
  );
  expect(rows.size).toBe(16);
  for (const drivers of rows.values()) expect(drivers.length).toBeLessThan(800);
});
