import { describe, expect, it } from "vitest";
import { SimulatedPlatform, runSimulation } from "./simulate.ts";
import { recover } from "../../durable/engine/initial-state.ts";
import { nextWakeAt, phaseOf, step } from "../../durable/engine/machine.ts";
import type { AcceptOutcome, DriverState, MachineEvent, StepResult } from "../../durable/engine/types.ts";
import type { Attempt } from "../../db/shapes/attempt.ts";
import type { Offer } from "../../db/shapes/offer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import {
  accepted,
  at,
  clock,
  ctx,
  idOf,
  kinds,
  logged,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
  NOON,
  SETTINGS,
  week,
  activeState,
} from "./fixtures.ts";

const polled = (...offers: Offer[]): MachineEvent => ({
  kind: "polled",
  sentAt: NOON,
  outcome: { kind: "offers", offers, quota: null, etag: "e1" },
});
const UNCHANGED: MachineEvent = { kind: "polled", sentAt: NOON, outcome: { kind: "unchanged", quota: null } };

/** The attempts of the accepts among the effects. */
function attempts({ effects }: StepResult): Attempt[] {
  return effects.flatMap((effect) => (effect.kind === "accept" ? effect.attempts : []));
}

function answer(before: StepResult, outcome: AcceptOutcome, now = NOON + 100): StepResult {
  const [attempt] = attempts(before);
  if (!attempt) throw new Error("no attempt was started");
  return step(before.state, { kind: "accepted", attemptId: attempt.attemptId, outcome }, ctx(now));
}

const wake = (state: DriverState, now = NOON) => step(state, { kind: "woke" }, ctx(now));

describe("waking", () => {
  it("polls the selected warehouses", () => {
    expect(wake(activeState()).effects).toEqual([
      { kind: "poll", warehouseIds: ["DNY4"], etag: null, maxCalls: Infinity, parts: null },
    ]);
  });

  it("fetches held blocks that are five minutes old beside the poll, once", () => {
    const state = activeState();
    const stale = { ...state, transient: { ...state.transient, heldFetchedAt: NOON - 5 * MINUTE_MS } };
    const read = wake(stale);
    expect(read.effects).toEqual([
      { kind: "read_blocks", from: NOON - DAY_MS, to: NOON + 30 * DAY_MS },
      { kind: "poll", warehouseIds: ["DNY4"], etag: null, maxCalls: Infinity, parts: null },
    ]);
    const polledOnce = step(read.state, UNCHANGED, ctx(NOON + 30)).state;
    expect(kinds(wake(polledOnce, NOON + 3000).effects)).toEqual(["poll"]);
    const next = step(
      polledOnce,
      { kind: "blocks_read", outcome: { kind: "blocks", blocks: [] } },
      ctx(NOON + 40),
    );
    expect(kinds(next.effects)).toEqual([]);
    expect(kinds(wake(next.state, NOON + 3000).effects)).toEqual(["poll"]);
  });

  it("does not poll before a poll is due", () => {
    const { state } = wake(activeState());
    const { state: answered } = step(state, UNCHANGED, ctx(NOON + 40));
    expect(wake(answered, NOON + 2999).effects).toEqual([]);
    expect(kinds(wake(answered, NOON + 3000).effects)).toEqual(["poll"]);
  });

  it.each<[string, Partial<DriverState>, string]>([
    ["off", { profile: makeProfile({ switchedOn: false }) }, "off"],
    ["never linked", { link: { status: "unlinked" } }, "needs_link"],
    ["signed out", { link: { status: "signed_out" } }, "needs_link"],
    ["never paid", { profile: makeProfile({ serviceUntil: null }) }, "no_service"],
    ["at the end of the paid time", { profile: makeProfile({ serviceUntil: NOON }) }, "no_service"],
    ["on the waitlist", { profile: makeProfile({ waitingForSpot: true }) }, "no_service"],
    ["throttled", { throttle: { step: 1, until: NOON + 1, since: NOON, isNotified: false } }, "throttled"],
    ["backing off", { backoff: { failures: 1, retryAt: NOON + 1 } }, "unreachable"],
    [
      "without a window",
      { profile: makeProfile({ filters: makeFilters({ schedule: week(0, 0, []) }) }) },
      "asleep",
    ],
    ["without a warehouse", { profile: makeProfile({ filters: makeFilters({ warehouses: [] }) }) }, "asleep"],
  ])("calls nothing while the driver is %s", (_case, fields, kind) => {
    const { state, effects } = wake(activeState(fields));
    expect(kinds(effects).filter((effect) => effect !== "log" && effect !== "notify")).toEqual([]);
    expect(state.phase.kind).toBe(kind);
  });

  it("changes only transient state if a poll brings nothing new", () => {
    const first = step(
      wake(activeState()).state,
      polled(makeOffer("low", { payCents: 0 })),
      ctx(NOON + 40),
    ).state;
    const again = wake(first, NOON + 4000);
    for (const event of [UNCHANGED, polled(makeOffer("low", { payCents: 0 }))]) {
      const { state, effects } = step(again.state, event, ctx(NOON + 4040));
      expect({ ...state, transient: null }).toEqual({ ...first, transient: null });
      expect(
        Object.entries(state)
          .filter(([key, value]) => value !== Reflect.get(first, key))
          .map(([key]) => key),
      ).toEqual(["transient"]);
      expect(effects).toEqual([]);
    }
  });
});

describe("the next wake-up", () => {
  const next = (state: DriverState, now = NOON, roll = 0.5) => nextWakeAt(state, ctx(now, roll));

  it("is immediate at first, then one interval after the latest poll", () => {
    expect(next(activeState())).toBe(NOON);
    const { state } = step(wake(activeState()).state, UNCHANGED, ctx(NOON + 40));
    expect(next(state, NOON + 100)).toBe(NOON + 3000);
    expect(next(state, NOON + 9000)).toBe(NOON + 9000);
  });

  it("is the end of the throttle or of the backoff", () => {
    expect(
      next(activeState({ throttle: { step: 1, until: NOON + 30_000, since: NOON, isNotified: false } })),
    ).toBe(NOON + 30_000);
    expect(next(activeState({ backoff: { failures: 3, retryAt: NOON + 4000 } }))).toBe(NOON + 4000);
  });

  it("is when the schedule opens, or when the paid time ends if that is earlier", () => {
    const filters = makeFilters({ schedule: week(clock("09:00"), clock("11:00"), [5]) });
    const opensAt = at("2026-06-11T09:00:00-04:00");
    expect(next(activeState({ profile: makeProfile({ filters }) }))).toBe(opensAt);
    expect(next(activeState({ profile: makeProfile({ filters, serviceUntil: opensAt - 1 }) }))).toBe(
      opensAt - 1,
    );
    expect(phaseOf(activeState({ profile: makeProfile({ filters }) }), NOON, SETTINGS)).toEqual({
      kind: "asleep",
      until: opensAt,
    });
  });

  it.each<[string, Partial<DriverState>]>([
    ["off", { profile: makeProfile({ switchedOn: false }) }],
    ["not linked", { link: { status: "unlinked" } }],
    ["without service", { profile: makeProfile({ serviceUntil: NOON - 1 }) }],
  ])("is never for a driver who is %s", (_case, fields) => {
    expect(next(activeState(fields))).toBeNull();
  });
});

describe("accepting", () => {
  it("stores the attempt with its key before the call", () => {
    const filters = makeFilters({
      warehouses: [makeWarehouseFilter({ minPriceCents: 5000, minHourlyCents: 2100 })],
    });
    const started = step(
      activeState({ profile: makeProfile({ filters }) }),
      polled(makeOffer("a")),
      ctx(NOON),
    );
    const [attempt] = attempts(started);
    expect(attempt).toEqual({
      attemptId: "0123456789abc-0",
      offer: makeOffer("a"),
      payAtLeastCents: 6300,
      createdAt: NOON,
      endedAt: null,
      outcome: { status: "pending" },
    });
    expect([...started.state.openAttempts.values()]).toEqual([attempt]);
    expect(started.state.attemptSeq).toBe(1);
    expect(logged(started.effects).map(({ kind }) => kind)).toEqual(["offer_judged", "attempt_started"]);
  });

  it("adds a won block to those held, notifies the driver once, and continues with the remaining matches", () => {
    const [first = makeOffer("o0"), ...others] = [0, 1, 2, 3, 4].map((n) =>
      makeOffer(`o${n}`, { startsAt: NOON + (3 + 3 * n) * HOUR_MS, payCents: 9000 - n }),
    );
    const start = step(activeState(), polled(first, ...others), ctx(NOON));
    expect(accepted(start.effects)).toEqual(["o0", "o1", "o2", "o3"]);
    const won = answer(start, { kind: "won", block: makeBlock(first) });
    expect(won.state.held).toEqual([makeBlock(first)]);
    expect(won.effects).toContainEqual({
      kind: "notify",
      notifications: [{ kind: "captured", block: makeBlock(first) }],
    });
    expect(accepted(won.effects)).toEqual(["o4"]);
    const again = answer({ ...start, state: won.state }, { kind: "won", block: makeBlock(first) });
    expect(kinds(again.effects)).not.toContain("notify");
  });

  it("fetches the blocks before each accept in secure mode, and accepts only the earliest match", () => {
    const [later, sooner] = [
      makeOffer("later", { startsAt: NOON + 9 * HOUR_MS, payCents: 20_000 }),
      makeOffer("sooner"),
    ];
    const state = activeState({ profile: makeProfile({ mode: "secure" }) });
    const read = step(state, polled(later, sooner), ctx(NOON));
    expect(kinds(read.effects)).toEqual(["log", "read_blocks"]);
    const take = step(
      read.state,
      { kind: "blocks_read", outcome: { kind: "blocks", blocks: [] } },
      ctx(NOON + 40),
    );
    expect(accepted(take.effects)).toEqual(["sooner"]);
    const won = answer(take, { kind: "won", block: makeBlock(sooner) });
    expect(kinds(won.effects)).toEqual(["log", "notify", "read_blocks"]);
    const hand = makeBlock(makeOffer("hand", { startsAt: NOON + 10 * HOUR_MS }));
    const seen = step(
      won.state,
      { kind: "blocks_read", outcome: { kind: "blocks", blocks: [makeBlock(sooner), hand] } },
      ctx(NOON + 200),
    );
    expect(accepted(seen.effects)).toEqual([]);
  });

  it.each(["masacre", "lucrative"] as const)("accepts up to four offers at once in %s mode", (mode) => {
    const offers = [0, 1, 2, 3, 4].map((n) =>
      makeOffer(`o${n}`, { startsAt: NOON + (3 + 3 * n) * HOUR_MS, payCents: 9000 - n }),
    );
    const start = step(activeState({ profile: makeProfile({ mode }) }), polled(...offers), ctx(NOON));
    expect(accepted(start.effects)).toEqual(["o0", "o1", "o2", "o3"]);
    expect(accepted(answer(start, { kind: "lost", reason: "offer_gone" }).effects)).toEqual(["o4"]);
  });

  it("does not try an offer again until its pay or the filters change", () => {
    const start = step(activeState(), polled(makeOffer("a")), ctx(NOON));
    const lost = answer(start, { kind: "lost", reason: "offer_gone" });
    expect(accepted(step(lost.state, polled(makeOffer("a")), ctx(NOON + 3000)).effects)).toEqual([]);
    expect(accepted(step(lost.state, UNCHANGED, ctx(NOON + 3000)).effects)).toEqual([]);
    expect(
      accepted(step(lost.state, polled(makeOffer("a", { payCents: 9100 })), ctx(NOON + 3000)).effects),
    ).toEqual(["a"]);
    const saved = step(
      lost.state,
      { kind: "profile_changed", profile: makeProfile({ revision: 2, filtersVersion: 2 }) },
      ctx(NOON + 3000),
    );
    expect(accepted(step(saved.state, polled(makeOffer("a")), ctx(NOON + 3000)).effects)).toEqual(["a"]);
  });

  it("ignores a profile whose revision is not higher", () => {
    const state = activeState({ profile: makeProfile({ revision: 5 }) });
    const old = step(
      state,
      { kind: "profile_changed", profile: makeProfile({ revision: 5, switchedOn: false }) },
      ctx(NOON),
    );
    expect(old.state).toBe(state);
  });
});

describe("an unknown attempt", () => {
  const start = () => step(activeState(), polled(makeOffer("a")), ctx(NOON));

  it.each(["timeout", "unreachable", "unreadable"] as const)(
    "after %s blocks its time span and is repeated with the same key: at once, then after a second",
    (kind) => {
      const repeated = answer(start(), { kind });
      expect(attempts(repeated).map(({ attemptId }) => attemptId)).toEqual(["0123456789abc-0"]);
      const unknown = answer(repeated, { kind });
      expect(attempts(unknown)).toEqual([]);
      const rival = makeOffer("rival", { startsAt: NOON + 5 * HOUR_MS, payCents: 50_000 });
      const other = step(unknown.state, polled(makeOffer("a"), rival), ctx(NOON + 3000));
      expect(accepted(other.effects)).toEqual([]);
      expect(nextWakeAt(unknown.state, ctx(NOON + 100))).toBe(NOON + 1100);
      const read = wake(unknown.state, NOON + 1100);
      expect(kinds(read.effects)).toContain("read_blocks");
      const repeat = step(
        read.state,
        { kind: "blocks_read", outcome: { kind: "blocks", blocks: [] } },
        ctx(NOON + 1140),
      );
      expect(attempts(repeat).map(({ attemptId }) => attemptId)).toEqual(["0123456789abc-0"]);
      expect(logged(repeat.effects).filter((event) => event.kind === "attempt_started")).toEqual([]);
    },
  );

  it("is won if its block is listed", () => {
    const { state } = answer(start(), { kind: "timeout" });
    const block = makeBlock(makeOffer("a"));
    const found = step(
      wake(state, NOON + 1100).state,
      { kind: "blocks_read", outcome: { kind: "blocks", blocks: [block] } },
      ctx(NOON + 1140),
    );
    expect([found.state.openAttempts.size, found.state.held]).toEqual([0, [block]]);
    expect(found.effects).toContainEqual({ kind: "notify", notifications: [{ kind: "captured", block }] });
  });

  it("is lost if the repeat finds the offer gone, and stays unknown if the repeat is not answered", () => {
    const unknown = answer(start(), { kind: "timeout" });
    const repeated = {
      state: unknown.state,
      effects: [{ kind: "accept" as const, attempts: [...unknown.state.openAttempts.values()] }],
    };
    const gone = answer(repeated, { kind: "lost", reason: "offer_gone" }, NOON + 2000);
    expect(logged(gone.effects)).toContainEqual(
      expect.objectContaining({
        kind: "attempt_settled",
        attempt: expect.objectContaining({ outcome: { status: "lost", reason: "offer_gone" } }),
      }),
    );
    for (const kind of ["rate_limited", "signed_out", "verification_required"] as const) {
      const refused = answer(
        repeated,
        kind === "rate_limited"
          ? { kind, retryAt: null }
          : kind === "signed_out"
            ? { kind }
            : { kind, url: null },
        NOON + 2000,
      );
      expect([...refused.state.openAttempts.values()].map(({ outcome }) => outcome)).toEqual([
        { status: "unknown", tries: 2, triedAt: NOON + 2000 },
      ]);
    }
  });

  it("fetches the blocks if the platform says that the driver has it but returns no block", () => {
    const yours = answer(start(), { kind: "already_yours", block: null });
    expect(kinds(yours.effects)).toContain("read_blocks");
    const shown = answer(start(), { kind: "already_yours", block: makeBlock(makeOffer("a")) });
    expect(shown.state.held).toEqual([makeBlock(makeOffer("a"))]);
  });

  it("is settled without another accept after the driver has switched off", () => {
    const unknown = answer(answer(start(), { kind: "timeout" }), { kind: "timeout" });
    const { state } = step(
      unknown.state,
      { kind: "profile_changed", profile: makeProfile({ revision: 2, switchedOn: false }) },
      ctx(NOON + 500),
    );
    expect(nextWakeAt(state, ctx(NOON + 500))).toBe(NOON + 1100);
    const none: MachineEvent = { kind: "blocks_read", outcome: { kind: "blocks", blocks: [] } };
    const soon = step(wake(state, NOON + 1100).state, none, ctx(NOON + 1140));
    expect(accepted(soon.effects)).toEqual([]);
    expect(nextWakeAt(soon.state, ctx(NOON + 1140))).toBe(NOON + 100 + MINUTE_MS);
    const late = step(wake(soon.state, NOON + 100 + MINUTE_MS).state, none, ctx(NOON + 200 + MINUTE_MS));
    expect(late.state.openAttempts.size).toBe(0);
    expect(logged(late.effects)).toContainEqual(
      expect.objectContaining({
        attempt: expect.objectContaining({ outcome: { status: "lost", reason: "withdrawn" } }),
      }),
    );
    expect(nextWakeAt(late.state, ctx(NOON + 200 + MINUTE_MS))).toBeNull();
  });

  it("is what a pending attempt becomes on a restart", () => {
    const { state } = start();
    const restarted = recover({ ...state, transient: activeState().transient });
    expect([...restarted.openAttempts.values()].map(({ outcome }) => outcome)).toEqual([
      { status: "unknown", tries: 1, triedAt: NOON },
    ]);
    expect(kinds(wake(restarted, NOON + 5000).effects)).toContain("read_blocks");
    expect(recover(activeState())).toEqual(activeState());
  });

  it("is lost on unlinking, since a repeat under another account would accept the block again", () => {
    const unknown = answer(start(), { kind: "timeout" });
    const { state } = step(unknown.state, { kind: "unlinked" }, ctx(NOON + 500));
    expect(state.openAttempts.size).toBe(0);
  });
});

describe("a refused accept", () => {
  it.each([
    ["rate_limited", { kind: "rate_limited", retryAt: NOON + 9000 }, "throttled"],
    ["signed_out", { kind: "signed_out" }, "needs_link"],
    [
      "verification_required",
      { kind: "verification_required", url: "https://p.test/selfie" },
      "verification_required",
    ],
    ["refused", { kind: "refused", status: 418 }, "polling"],
  ] as const)("by %s is lost, and the phase shows why", (reason, outcome, phase) => {
    const ended = answer(step(activeState(), polled(makeOffer("a")), ctx(NOON)), outcome);
    expect(logged(ended.effects)).toContainEqual(
      expect.objectContaining({
        kind: "attempt_settled",
        attempt: expect.objectContaining({ outcome: { status: "lost", reason } }),
      }),
    );
    expect(ended.state.phase.kind).toBe(phase);
  });
});

describe("a notification", () => {
  it("is sent once on entering a phase that needs the driver", () => {
    const out: MachineEvent = { kind: "polled", sentAt: NOON, outcome: { kind: "signed_out" } };
    const first = step(activeState(), out, ctx(NOON));
    expect(first.effects).toEqual([
      { kind: "log", events: [{ kind: "phase_changed", at: NOON, phase: { kind: "needs_link" } }] },
      { kind: "notify", notifications: [{ kind: "needs_link" }] },
    ]);
    expect(wake(first.state, NOON + 1000).effects).toEqual([]);
    const linked = step(
      first.state,
      { kind: "linked", warehouses: first.state.warehouses },
      ctx(NOON + 2000),
    );
    expect(linked.state.phase).toEqual({ kind: "polling" });
  });

  it("is sent once at the instant when the paid time ends", () => {
    const state = activeState({ profile: makeProfile({ serviceUntil: NOON + 500 }) });
    const polls = wake(state).state;
    expect(nextWakeAt(polls, ctx(NOON + 1))).toBe(NOON + 500);
    const ended = wake(polls, NOON + 500);
    expect(ended.effects).toContainEqual({
      kind: "notify",
      notifications: [{ kind: "no_service", waitingForSpot: false }],
    });
    expect(wake(ended.state, NOON + 600).effects).toEqual([]);
  });

  it("is sent for a required verification, whose page is shown until it is done", () => {
    const url = "https://p.test/selfie";
    const required = step(
      activeState(),
      { kind: "polled", sentAt: NOON, outcome: { kind: "verification_required", url } },
      ctx(NOON),
    );
    expect(required.state.phase).toEqual({ kind: "verification_required", url });
    expect(kinds(required.effects)).toEqual(["log", "notify"]);
    expect(
      step(
        required.state,
        { kind: "verification_checked", outcome: { kind: "verification", required: false } },
        ctx(NOON + 9),
      ).state.phase,
    ).toEqual({
      kind: "polling",
    });
  });
});

it("drops a block that was given back and accepts another offer that overlapped it", () => {
  const offer = makeOffer("a");
  const held = makeBlock(makeOffer("b", { startsAt: offer.startsAt + HOUR_MS }));
  const { state } = step(activeState({ held: [held] }), polled(offer), ctx(NOON));
  expect(state.verdicts.get(idOf.offer("a"))?.reasons.map(({ code }) => code)).toEqual(["overlaps_block"]);
  const read = step(
    state,
    { kind: "blocks_read", outcome: { kind: "blocks", blocks: [] } },
    ctx(NOON + 1000),
  );
  expect(accepted(read.effects)).toEqual(["a"]);
});

describe("waiting for a verification", () => {
  const asking = () =>
    step(
      activeState(),
      { kind: "polled", sentAt: NOON, outcome: { kind: "verification_required", url: null } },
      ctx(NOON),
    ).state;
  const checks = (state: DriverState, now: number) =>
    kinds(step(state, { kind: "woke" }, ctx(now)).effects).includes("check_verification");

  const still = (state: DriverState, now: number) =>
    step(state, { kind: "verification_checked", outcome: { kind: "verification", required: true } }, ctx(now))
      .state;

  it("checks its status at once, every 5 s for two minutes, every 15 s up to ten, then every minute", () => {
    const platform = new SimulatedPlatform({});
    platform.verifiedAt = NOON + HOUR_MS;
    runSimulation(asking(), { platform, from: NOON, until: NOON + 20 * MINUTE_MS });
    const sent = platform.calls
      .filter(({ call }) => call === "check_verification")
      .map(({ at }) => at - NOON);
    const between = (from: number, to: number, everyMs: number) =>
      Array.from({ length: (to - from) / everyMs }, (_, index) => from + index * everyMs);
    expect(sent).toEqual([
      ...between(0, 2 * MINUTE_MS, 5000),
      ...between(2 * MINUTE_MS, 10 * MINUTE_MS, 15_000),
      ...between(10 * MINUTE_MS, 20 * MINUTE_MS, MINUTE_MS),
    ]);
  });

  it("checks it at once when the driver comes back to the page, then often again, and never twice a second", () => {
    const back: MachineEvent = { kind: "driver_returned" };
    const late = still(step(asking(), { kind: "woke" }, ctx(NOON + HOUR_MS)).state, NOON + HOUR_MS);
    expect(checks(late, NOON + HOUR_MS + 5000)).toBe(false);
    expect(kinds(step(late, back, ctx(NOON + HOUR_MS + 999)).effects)).toEqual([]);
    const returned = step(late, back, ctx(NOON + HOUR_MS + 5000));
    expect(kinds(returned.effects)).toEqual(["check_verification"]);
    expect(kinds(step(returned.state, back, ctx(NOON + HOUR_MS + 9000)).effects)).toEqual([]);
    const next = still(returned.state, NOON + HOUR_MS + 5040);
    expect(nextWakeAt(next, ctx(NOON + HOUR_MS + 5040))).toBe(NOON + HOUR_MS + 10_000);
  });

  it("polls within seconds after the selfie", () => {
    const platform = new SimulatedPlatform({});
    platform.verifiedAt = NOON + 47_000;
    runSimulation(asking(), { platform, from: NOON, until: NOON + MINUTE_MS });
    expect(platform.polls[0]).toBe(NOON + 50_040);
  });

  it("ignores a driver who comes back while nothing is asked of them", () => {
    const state = activeState();
    expect(step(state, { kind: "driver_returned" }, ctx(NOON)).state).toBe(state);
  });

  it("postpones the next check as long as the platform asks", () => {
    const { state } = step(
      asking(),
      { kind: "verification_checked", outcome: { kind: "rate_limited", retryAt: NOON + 600_000 } },
      ctx(NOON),
    );
    expect(nextWakeAt(state, ctx(NOON))).toBe(NOON + 600_000);
    expect([checks(state, NOON + 599_999), checks(state, NOON + 600_000)]).toEqual([false, true]);
  });

  it("throttles polls after a rate limit on any other call", () => {
    const { state } = step(activeState(), { kind: "rate_limited", retryAt: NOON + 90_000 }, ctx(NOON));
    expect(state.phase).toEqual({ kind: "throttled", until: NOON + 90_000 });
    expect(nextWakeAt(state, ctx(NOON))).toBe(NOON + 90_000);
    expect(kinds(step(state, { kind: "woke" }, ctx(NOON + 89_999)).effects)).toEqual([]);
  });

  it("makes no other call", () => {
    const { state, effects } = wake(activeState({ verification: { url: null, since: NOON } }));
    expect([kinds(effects), state.phase.kind]).toEqual([
      ["log", "notify", "check_verification"],
      "verification_required",
    ]);
  });

  it("makes no check while the driver is switched off", () => {
    const off = { ...asking(), profile: makeProfile({ switchedOn: false }) };
    expect([checks(off, NOON + MINUTE_MS), nextWakeAt(off, ctx(NOON))]).toEqual([false, null]);
  });
});
