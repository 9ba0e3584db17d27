import { describe, expect, it } from "vitest";
import { nextWakeAt } from "../../durable/engine/next-wake.ts";
import { phaseOf } from "../../durable/engine/phase.ts";
import { step } from "../../durable/engine/machine.ts";
import type { DriverState, MachineEvent } from "../../durable/engine/state/types.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { DAY_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import {
  at,
  clock,
  ctx,
  kinds,
  makeFilters,
  makeOffer,
  makeProfile,
  NOON,
  SETTINGS,
  week,
  activeState,
} from "./fixtures.ts";
import { polled, UNCHANGED, wake } from "./steps.ts";

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

  it("is sent once for one end, though the clock is set back or the driver switches off and on", () => {
    const endsAt = NOON + 500;
    const ended = wake(activeState({ profile: makeProfile({ serviceUntil: endsAt }) }), endsAt);
    const setBack = wake(ended.state, NOON - 1_500);
    expect(setBack.state.phase).toEqual({ kind: "polling" });
    const again = wake(setBack.state, endsAt);
    expect([again.state.phase.kind, kinds(again.effects)]).toEqual(["no_service", ["log"]]);
    let nextRevision = 10;
    const change = (state: DriverState, fields: Partial<Profile>) =>
      step(
        state,
        {
          kind: "profile_changed",
          profile: makeProfile({ serviceUntil: endsAt, revision: nextRevision++, ...fields }),
        },
        ctx(endsAt + 1_000),
      );
    const off = change(again.state, { switchedOn: false });
    const on = change(off.state, {});
    expect([on.state.phase.kind, kinds(on.effects)]).toEqual(["no_service", ["log"]]);
    // A spot to wait for is news, and so is the end of other days.
    const inLine = change(off.state, { waitingForSpot: true });
    expect(kinds(inLine.effects)).toEqual(["log", "notify"]);
    const bought = change(on.state, { serviceUntil: endsAt + 5_000 });
    expect(kinds(wake(bought.state, endsAt + 5_000).effects)).toEqual(["log", "notify"]);
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
