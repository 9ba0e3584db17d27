import { describe, expect, it } from "vitest";
import { maySendAccept } from "../../../durable/engine/attempts/unsettled-attempts.ts";
import { step } from "../../../durable/engine/machine.ts";
import type { PlatformFailure } from "../../../durable/engine/state/outcomes.ts";
import type { MachineEvent } from "../../../durable/engine/state/types.ts";
import type { Mode } from "../../../db/shapes/work/filters.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { SimulatedPlatform, runSimulation } from "../simulate.ts";
import type { ListedOffer } from "../fixtures.ts";
import { activeState, ctx, logged, makeFilters, makeOffer, makeProfile, NOON } from "../fixtures.ts";
import { polled } from "../steps.ts";

/** Offers that don't overlap, each listed from its own instant until it expires. */
function drops(...seconds: number[]): ListedOffer[] {
  return seconds.map((second, index) => {
    const offer = makeOffer(`o${index}`, { startsAt: NOON + (4 + 4 * index) * HOUR_MS });
    return { offer, from: NOON + second * 1000, to: offer.expiresAt };
  });
}

const slowAccepts = (ms: number) => (call: string) => (call === "accept" ? ms : 40);

function gaps(polls: readonly number[]): number[] {
  return polls.slice(1).map((at, index) => at - (polls[index] ?? at));
}

describe("while accepts are under way", () => {
  it.each<[Mode, number]>([
    ["lucrative", 3000],
    ["masacre", 1000],
    ["secure", 8000],
  ])("%s mode polls every %i ms", (mode, intervalMs) => {
    const platform = new SimulatedPlatform({ listedOffers: drops(10, 20, 30, 40) });
    runSimulation(activeState({ profile: makeProfile({ mode }) }), {
      platform,
      from: NOON,
      until: NOON + 2 * MINUTE_MS,
      callMs: slowAccepts(8000),
    });
    expect(platform.blocks).toHaveLength(4);
    expect(new Set(gaps(platform.polls))).toEqual(new Set([intervalMs]));
  });

  it("other offers are taken with the next poll, each once", () => {
    const platform = new SimulatedPlatform({ listedOffers: drops(10, 11, 12, 13) });
    runSimulation(activeState({ profile: makeProfile({ mode: "masacre" }) }), {
      platform,
      from: NOON,
      until: NOON + MINUTE_MS,
      callMs: slowAccepts(8000),
    });
    expect(platform.accepts.map(({ at, attempt }) => [attempt.offer.offerId, at - NOON])).toEqual([
      ["o0", 10_040],
      ["o1", 11_040],
      ["o2", 12_040],
      ["o3", 13_040],
    ]);
  });

  it("never more than four of them are, repeats included", () => {
    const platform = new SimulatedPlatform({
      listedOffers: drops(...Array.from({ length: 12 }, () => 1)),
      fault: (call, at) =>
        call === "accept" && at < NOON + 30_000
          ? { failure: { kind: "timeout" }, hasEffect: at % 2 === 0 }
          : null,
    });
    runSimulation(activeState({ profile: makeProfile({ mode: "masacre" }) }), {
      platform,
      from: NOON,
      until: NOON + 5 * MINUTE_MS,
      callMs: slowAccepts(7000),
    });
    for (const { at } of platform.accepts) {
      const open = platform.accepts.filter((other) => other.at <= at && at < other.at + 7000);
      expect(open.length).toBeLessThanOrEqual(4);
    }
    expect(platform.blocks).toHaveLength(12);
  });

  it("a switch turned off, saved filters and the end of service stop the next ones", () => {
    const off = makeProfile({ revision: 2, mode: "masacre", switchedOn: false });
    const picky = makeProfile({
      revision: 2,
      mode: "masacre",
      filtersVersion: 2,
      filters: makeFilters({ minHourlyCents: 99_000 }),
    });
    const ended = makeProfile({ revision: 2, mode: "masacre", serviceUntil: NOON + 10_500 });
    for (const profile of [off, picky, ended]) {
      const platform = new SimulatedPlatform({ listedOffers: drops(10, 11, 12) });
      runSimulation(activeState({ profile: makeProfile({ mode: "masacre" }) }), {
        platform,
        from: NOON,
        until: NOON + MINUTE_MS,
        callMs: slowAccepts(8000),
        script: [{ at: NOON + 10_500, event: { kind: "profile_changed", profile } }],
      });
      expect(platform.accepts.map(({ attempt }) => attempt.offer.offerId)).toEqual(["o0"]);
    }
  });
});

describe("an accept that fails", () => {
  const failing = (failure: PlatformFailure) =>
    new SimulatedPlatform({
      listedOffers: drops(10),
      fault: (call, at) => (call === "accept" && at < NOON + 40_000 ? { failure, hasEffect: false } : null),
    });

  it.each<PlatformFailure>([{ kind: "timeout" }, { kind: "unreachable" }, { kind: "unreadable" }])(
    "with $kind delays no poll and leaves the phase at 'polling'",
    (failure) => {
      const platform = failing(failure);
      const { log } = runSimulation(activeState(), { platform, from: NOON, until: NOON + 2 * MINUTE_MS });
      expect(new Set(gaps(platform.polls))).toEqual(new Set([3000]));
      expect(log.filter(({ kind }) => kind === "phase_changed")).toEqual([]);
      expect(platform.blocks).toHaveLength(1);
    },
  );

  it("because the platform states a wait delays the polls too", () => {
    const platform = new SimulatedPlatform({
      listedOffers: drops(10),
      fault: (call, at) =>
        call === "accept" && at < NOON + 13_000
          ? { failure: { kind: "rate_limited", retryAt: NOON + 32_000 }, hasEffect: false }
          : null,
    });
    runSimulation(activeState(), { platform, from: NOON, until: NOON + MINUTE_MS });
    expect(Math.max(...gaps(platform.polls))).toBe(20_000);
    expect(platform.blocks).toHaveLength(1);
  });

  it("is repeated under its key at once, then after 1, 2, 4 s, whatever the polls do", () => {
    const platform = failing({ kind: "unreachable" });
    runSimulation(activeState(), { platform, from: NOON, until: NOON + MINUTE_MS });
    const [first] = platform.accepts;
    const waits = gaps(platform.accepts.map(({ at }) => at));
    expect(new Set(platform.accepts.map(({ attempt }) => attempt.attemptId))).toEqual(
      new Set([first?.attempt.attemptId]),
    );
    // From answer to repeat: each call takes 40 ms, and so does the reading of the blocks before a later repeat.
    expect(waits.slice(0, 4).map((ms) => ms - 40)).toEqual([0, 1040, 2040, 4040]);
  });
});

describe("an accept that could not leave at once", () => {
  const start = () => {
    const { state } = step(activeState(), polled(makeOffer("a")), ctx(NOON));
    const [id] = state.openAttempts.keys();
    if (!id) throw new Error("no attempt was started");
    return { state, id };
  };

  it("may leave while the driver wants the offer, and never after a change", () => {
    const { state, id } = start();
    const change = (event: MachineEvent) => step(state, event, ctx(NOON + 1000)).state;
    const profile = (fields: Parameters<typeof makeProfile>[0]): MachineEvent => ({
      kind: "profile_changed",
      profile: makeProfile({ revision: 2, ...fields }),
    });
    const changes: MachineEvent[] = [
      profile({ switchedOn: false }),
      profile({ filtersVersion: 2, filters: makeFilters({ minHourlyCents: 99_000 }) }),
      profile({ serviceUntil: NOON + 500 }),
      { kind: "unlinked" },
      { kind: "rate_limited", retryAt: NOON + 9000 },
    ];
    expect(maySendAccept(state, id, NOON + 1000)).toBe(true);
    expect(changes.map((event) => maySendAccept(change(event), id, NOON + 1000))).toEqual(
      changes.map(() => false),
    );
  });

  it("and was withdrawn is lost, and what was already sent once stays in doubt", () => {
    const { state: on, id } = start();
    const off: MachineEvent = {
      kind: "profile_changed",
      profile: makeProfile({ revision: 2, switchedOn: false }),
    };
    const { state } = step(on, off, ctx(NOON + 500));
    const withdrawn: MachineEvent = { kind: "accepted", attemptId: id, outcome: { kind: "withdrawn" } };
    const first = step(state, withdrawn, ctx(NOON + 1000));
    expect(logged(first.effects)).toMatchObject([
      { kind: "attempt_settled", attempt: { outcome: { status: "lost", reason: "withdrawn" } } },
    ]);
    const cut: MachineEvent = { kind: "accepted", attemptId: id, outcome: { kind: "timeout" } };
    const repeat = step(step(state, cut, ctx(NOON + 1000)).state, withdrawn, ctx(NOON + 2000)).state;
    expect([...repeat.openAttempts.values()].map(({ outcome }) => outcome.status)).toEqual(["unknown"]);
  });
});
