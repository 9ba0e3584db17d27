import { describe, expect, it } from "vitest";
import { recover } from "../../durable/engine/initial-state.ts";
import { step } from "../../durable/engine/machine.ts";
import type { PlatformFailure } from "../../durable/engine/state/outcomes.ts";
import type { DriverState, MachineEvent } from "../../durable/engine/state/types.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { runSimulation, SimulatedPlatform, type PlatformCall, type SimulatedFault } from "./simulate.ts";
import { activeState, ctx, makeOffer, makeProfile, NOON, SETTINGS } from "./fixtures.ts";

type Fault = (call: PlatformCall, at: EpochMs) => SimulatedFault | null;

/** Fails calls of one kind from an instant on, `times` times. */
function failing(kind: PlatformCall, failure: (at: EpochMs) => PlatformFailure, times = 1): Fault {
  let left = times;
  return (call, at) => {
    if (call !== kind || left === 0) return null;
    left -= 1;
    return { failure: failure(at), hasEffect: false };
  };
}

const longState = () =>
  activeState({ profile: makeProfile({ serviceUntil: NOON + 90 * DAY_MS, mode: "masacre" }) });

function run(fault: Fault, until: EpochMs, pollFloorMs = SETTINGS.pollFloorMs) {
  const platform = new SimulatedPlatform({ fault });
  const settings = { ...SETTINGS, pollFloorMs };
  const simulation = runSimulation(longState(), { platform, from: NOON, until, settings, callMs: 0 });
  return { ...simulation, platform, polls: platform.polls.map((at) => at - NOON) };
}

describe("a wait that the platform states", () => {
  it.each<[string, PlatformFailure]>([
    ["a 503", { kind: "unreachable", retryAt: NOON + 15_000 }],
    ["a page that can't be read", { kind: "unreadable", retryAt: NOON + 15_000 }],
    ["an unknown refusal", { kind: "refused", status: 425, retryAt: NOON + 15_000 }],
    ["a rate limit", { kind: "rate_limited", retryAt: NOON + 15_000 }],
  ])("with %s is obeyed to the second, and seen by the driver", (_, failure) => {
    const { polls } = run(
      failing("poll", () => failure),
      NOON + 20_000,
    );
    expect(polls.slice(0, 3)).toEqual([0, 15_000, 16_000]);
    const { state } = step(longState(), { kind: "polled", sentAt: NOON, outcome: failure }, ctx(NOON));
    expect(state.phase).toEqual({ kind: "throttled", until: NOON + 15_000 });
  });

  it("with a failed read of the blocks or another call is for every call", () => {
    const failure = { kind: "unreachable", retryAt: NOON + 15_000 } as const;
    for (const event of [
      { kind: "blocks_read", outcome: failure },
      { kind: "wait_stated", retryAt: NOON + 15_000 },
      { kind: "verification_checked", outcome: failure },
    ] satisfies MachineEvent[]) {
      const { state } = step(longState(), event, ctx(NOON));
      expect(state.throttle.until).toBe(NOON + 15_000);
    }
  });

  it("with a failed accept is obeyed before the accept is repeated", () => {
    const offer = makeOffer("a");
    const platform = new SimulatedPlatform({
      listedOffers: [{ offer, from: NOON, to: offer.expiresAt }],
      fault: failing("accept", (at) => ({ kind: "unreachable", retryAt: at + 15_000 })),
    });
    runSimulation(longState(), { platform, from: NOON, until: NOON + MINUTE_MS, callMs: 0 });
    expect(platform.calls.filter(({ at }) => at > NOON && at < NOON + 15_000)).toEqual([]);
    expect(platform.accepts.map(({ at }) => at - NOON).slice(0, 2)).toEqual([0, 15_000]);
    expect(platform.blocks).toHaveLength(1);
  });

  it("that doesn't help is followed by the waits of our own", () => {
    const every = (failure: (at: EpochMs) => PlatformFailure) =>
      run(failing("poll", failure, 8), NOON + 20 * MINUTE_MS).polls;
    const gaps = (polls: number[]) =>
      polls.slice(1, 7).map((at, index) => Math.round((at - (polls[index] ?? 0)) / 1000));
    expect(gaps(every((at) => ({ kind: "unreachable", retryAt: at + 5000 })))).toEqual([5, 5, 5, 8, 16, 32]);
    expect(gaps(every((at) => ({ kind: "rate_limited", retryAt: at + 5000 })))).toEqual([
      5, 30, 60, 120, 240, 480,
    ]);
  });
});

it("a refusal every 50 minutes that states a second leaves a driver blind for a second", () => {
  let refusedAt = NOON;
  const { polls } = run(
    (call, at) => {
      if (call !== "poll" || at < refusedAt + 50 * MINUTE_MS) return null;
      refusedAt = at;
      return { failure: { kind: "rate_limited", retryAt: at + 1000 }, hasEffect: false };
    },
    NOON + 70 * MINUTE_MS,
  );
  const longest = Math.max(...polls.slice(1).map((at, index) => at - (polls[index] ?? 0)));
  expect(longest).toBeLessThan(2500);
});

it("refusals that state nothing climb, and come down by a step in each clean hour", () => {
  const { polls } = run(
    failing("poll", () => ({ kind: "rate_limited", retryAt: null }), 3),
    NOON + 10 * MINUTE_MS,
  );
  expect(polls.slice(0, 4)).toEqual([0, 30_000, 90_000, 210_000]);
});

describe("a wait of ten years", () => {
  /** Between such waits hours pass. */
  const POLL_EVERY_MS = 30_000;
  const tenYears: Fault = (call, at) =>
    call === "poll" && at < NOON + 9 * HOUR_MS
      ? { failure: { kind: "rate_limited", retryAt: at + 3650 * DAY_MS }, hasEffect: false }
      : null;

  it("is one question every four hours, and the driver is notified once", () => {
    const { polls, notifications, log } = run(tenYears, NOON + 13 * HOUR_MS, POLL_EVERY_MS);
    expect(polls.slice(0, 4)).toEqual([0, 4 * HOUR_MS, 8 * HOUR_MS, 12 * HOUR_MS]);
    expect(notifications).toEqual([{ kind: "long_wait", until: NOON + 4 * HOUR_MS }]);
    expect(log.flatMap((event) => (event.kind === "phase_changed" ? [event.phase.kind] : []))).toEqual(
      expect.arrayContaining(["throttled"]),
    );
  });

  it("is notified again once polls were answered in between", () => {
    const { notifications } = run(
      (call, at) =>
        tenYears(call, at) ??
        (call === "poll" && at > NOON + 13 * HOUR_MS && at < NOON + 14 * HOUR_MS
          ? { failure: { kind: "unreachable", retryAt: at + 2 * HOUR_MS }, hasEffect: false }
          : null),
      NOON + 16 * HOUR_MS,
      POLL_EVERY_MS,
    );
    expect(notifications.map(({ kind }) => kind)).toEqual(["long_wait", "long_wait"]);
  });

  it("goes on over off and on, saved filters, a restart and another link, of which the driver hears again", () => {
    const limited = step(
      longState(),
      { kind: "polled", sentAt: NOON, outcome: { kind: "rate_limited", retryAt: NOON + 3650 * DAY_MS } },
      ctx(NOON),
    ).state;
    const notified: string[] = [];
    const apply = (state: DriverState, event: MachineEvent, at: EpochMs) => {
      const stepped = step(state, event, ctx(at));
      for (const effect of stepped.effects)
        if (effect.kind === "notify") notified.push(...effect.notifications.map(({ kind }) => kind));
      return stepped.state;
    };
    const profile = limited.profile ?? makeProfile();
    let state = apply(
      limited,
      { kind: "profile_changed", profile: { ...profile, revision: 2, switchedOn: false } },
      NOON + 1,
    );
    state = apply(
      state,
      { kind: "profile_changed", profile: { ...profile, revision: 3, filtersVersion: 9 } },
      NOON + 2,
    );
    state = recover(state);
    expect([state.phase, notified]).toEqual([{ kind: "throttled", until: NOON + 4 * HOUR_MS }, []]);
    state = apply(state, { kind: "unlinked" }, NOON + 3);
    state = apply(state, { kind: "linked", warehouses: limited.warehouses }, NOON + 4);
    expect(state.throttle.until).toBe(NOON + 4 * HOUR_MS);
    expect(notified).toEqual(["long_wait"]);
  });

  it("until the quota is full again notifies once too, and anew after polls went on in between", () => {
    const quota = (remaining: number, resetAt: EpochMs) => ({ limit: 100, remaining, resetAt });
    const poll = (state: DriverState, at: EpochMs, given: ReturnType<typeof quota>) => {
      const sent = step(state, { kind: "woke" }, ctx(at)).state;
      const outcome = { kind: "offers" as const, offers: [], quota: given, etag: null };
      return step(sent, { kind: "polled", sentAt: at, outcome }, ctx(at + 40));
    };
    const told = ({ effects }: ReturnType<typeof step>) =>
      effects.flatMap((effect) => (effect.kind === "notify" ? effect.notifications : []));
    const first = poll(longState(), NOON, quota(0, NOON + 4 * HOUR_MS));
    const again = poll(first.state, NOON + 4 * HOUR_MS + 1000, quota(0, NOON + 8 * HOUR_MS));
    let full = again;
    for (let at = NOON + 8 * HOUR_MS + 1000; full.state.phase.kind !== "polling"; at += 5 * MINUTE_MS) {
      expect(at).toBeLessThan(NOON + 12 * HOUR_MS);
      full = poll(full.state, at, quota(99, at + MINUTE_MS));
      expect(told(full)).toEqual([]);
    }
    const anew = poll(full.state, NOON + 13 * HOUR_MS, quota(0, NOON + 17 * HOUR_MS));
    expect([first, again, anew].map(({ state }) => state.phase.kind)).toEqual([
      "quota_used_up",
      "quota_used_up",
      "quota_used_up",
    ]);
    expect([first, again, anew].map((stepped) => told(stepped).length)).toEqual([1, 0, 1]);
  });

  it("is no news for a driver who is off, nor is a wait of an hour for anybody", () => {
    const off = { ...longState(), profile: makeProfile({ switchedOn: false }) };
    const limited = step(off, { kind: "rate_limited", retryAt: NOON + DAY_MS }, ctx(NOON));
    expect(limited.effects.filter(({ kind }) => kind === "notify")).toEqual([]);
    const hour = step(longState(), { kind: "rate_limited", retryAt: NOON + HOUR_MS }, ctx(NOON));
    expect(hour.effects.filter(({ kind }) => kind === "notify")).toEqual([]);
  });
});

it("a quota in an answer that can't be read counts as in any other, beside the wait after such an answer", () => {
  const quota = { limit: 10, remaining: 0, resetAt: NOON + 5 * MINUTE_MS };
  const event = {
    kind: "polled" as const,
    sentAt: NOON - 40,
    outcome: { kind: "unreadable" as const, quota },
  };
  const asked = step(activeState(), { kind: "woke" }, ctx(NOON - 40)).state;
  const { state } = step(asked, event, ctx(NOON));
  expect(state.transient.quota?.quota).toEqual(quota);
  expect(state.backoff).not.toEqual(asked.backoff);
  expect(state.quotaWaitUntil).toBeGreaterThanOrEqual(quota.resetAt);
});
