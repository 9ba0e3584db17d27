import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { recover } from "../../durable/engine/initial-state.ts";
import { step } from "../../durable/engine/machine.ts";
import type { MachineEvent } from "../../durable/engine/state/types.ts";
import {
  NOON,
  SETTINGS,
  accepted,
  activeState,
  clock,
  codes,
  ctx,
  drop,
  durations,
  idOf,
  logged,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  week,
} from "./fixtures.ts";
import { SimulatedPlatform, runSimulation } from "./simulate.ts";
import { polled } from "./steps.ts";

describe("of overlapping matches in one poll", () => {
  it.each(["lucrative", "secure", "masacre"] as const)(
    "%s mode accepts one, and none that overlaps a block accepted by hand",
    (mode) => {
      const drops = [
        makeOffer("a"),
        makeOffer("b", { startsAt: NOON + 4 * HOUR_MS }),
        makeOffer("c", { startsAt: NOON + 8 * HOUR_MS }),
      ];
      const platform = new SimulatedPlatform({ listedOffers: drops.map((offer) => drop(offer)) });
      platform.blocks = [makeBlock(makeOffer("hand", { startsAt: NOON + 9 * HOUR_MS }))];
      const state = activeState({ profile: makeProfile({ mode }) });
      runSimulation(
        { ...state, transient: { ...state.transient, heldFetchedAt: null } },
        { platform, from: NOON, until: NOON + MINUTE_MS },
      );
      expect(platform.blocks.map(({ offerId }) => offerId)).toEqual(["hand", "a"]);
      expect(platform.accepts).toHaveLength(1);
    },
  );

  it("are all rejected within five minutes of accepting an overlapping block by hand", () => {
    const platform = new SimulatedPlatform({ listedOffers: [drop(makeOffer("a"), NOON + 6 * MINUTE_MS)] });
    const hand: MachineEvent = {
      kind: "verification_checked",
      outcome: { kind: "verification", required: false },
    };
    runSimulation(activeState(), {
      platform,
      from: NOON,
      until: NOON + 10 * MINUTE_MS,
      script: [{ at: NOON + MINUTE_MS, event: hand }],
      onStep: (_before, _after, event) => {
        if (event === hand) platform.blocks = [makeBlock(makeOffer("hand"))];
      },
    });
    expect(platform.accepts).toEqual([]);
  });
});

it("measures notice with its sign: a block that has started is too soon, one of tomorrow is not", () => {
  const filters = makeFilters({ warehouses: [makeWarehouseFilter({ bufferMinutes: 20 })] });
  const began = makeOffer("began", { startsAt: NOON - 30 * MINUTE_MS, expiresAt: NOON + HOUR_MS });
  const tomorrow = makeOffer("tomorrow", { startsAt: NOON + DAY_MS + 10 * MINUTE_MS });
  expect([codes(began, { filters }), codes(tomorrow, { filters })]).toEqual([["too_soon"], []]);
});

it("checks rate and duration even if the block pay is high enough", () => {
  const filter = makeWarehouseFilter({
    minPriceCents: 9000,
    minHourlyCents: 3100,
    durations: durations(240),
  });
  expect(codes(makeOffer("a"), { filters: makeFilters({ warehouses: [filter] }) })).toEqual([
    "duration_not_preferred",
    "rate_below_minimum",
  ]);
});

it("rejects an offer of a warehouse that is not selected even if the platform lists it", () => {
  const offer = makeOffer("a", { warehouseId: idOf.warehouse("W2") });
  const state = activeState({
    warehouses: [makeWarehouse(), makeWarehouse({ warehouseId: idOf.warehouse("W2") })],
  });
  const { effects } = step(state, polled(offer), ctx(NOON));
  expect(accepted(effects)).toEqual([]);
  expect(logged(effects)).toMatchObject([
    { kind: "offer_judged", reasons: [{ code: "warehouse_not_selected" }] },
  ]);
});

describe("a soft block", () => {
  const minutes = (count: number) => NOON + count * MINUTE_MS;
  /** Polls as seldom as an offer of a minute allows: the clock of silence counts minutes. */
  const settings = { ...SETTINGS, pollFloorMs: 10_000 };
  const each = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => minutes(from + index)).map((startAt, index) =>
      drop(
        makeOffer(`o${from + index}`, { payCents: 0, startsAt: startAt + HOUR_MS }),
        startAt,
        startAt + MINUTE_MS,
      ),
    );

  it("is suspected once if the usual offers stop for half an hour, and again only after they have resumed", () => {
    const platform = new SimulatedPlatform({ listedOffers: [...each(0, 60), ...each(150, 200)] });
    const { log, notifications, state } = runSimulation(activeState(), {
      platform,
      from: NOON,
      until: minutes(260),
      settings,
    });
    const suspected = log.flatMap((event) =>
      event.kind === "silence_suspected" ? [(event.at - NOON) / MINUTE_MS] : [],
    );
    expect(suspected).toHaveLength(2);
    expect(suspected[0]).toBeGreaterThan(89);
    expect(suspected[0]).toBeLessThan(90);
    expect(notifications.filter(({ kind }) => kind === "silence_suspected")).toHaveLength(2);
    expect(state.offerActivity.suspectedAt).not.toBeNull();
  });

  it("is not suspected if offers are rare or the driver was asleep", () => {
    const rare = [0, 90, 180].flatMap((start) => each(start, start + 1));
    const { notifications } = runSimulation(activeState(), {
      platform: new SimulatedPlatform({ listedOffers: rare }),
      from: NOON,
      until: minutes(400),
      settings,
    });
    expect(notifications).toEqual([]);
    const filters = makeFilters({ schedule: week(clock("12:00"), clock("13:00")) });
    const platform = new SimulatedPlatform({ listedOffers: each(0, 60) });
    const day = runSimulation(activeState({ profile: makeProfile({ filters }) }), {
      platform,
      from: NOON,
      until: NOON + DAY_MS,
      settings: { ...settings, offerHorizonMs: 0 },
    });
    expect(day.notifications).toEqual([]);
  });
});

describe("a rate limit", () => {
  const refuse = (until: number) => (call: string, now: number) =>
    call === "poll" && now < until
      ? { failure: { kind: "rate_limited" as const, retryAt: null }, hasEffect: false }
      : null;

  it("survives a restart, switching off and on, and saved filters", () => {
    const limited = step(
      activeState(),
      { kind: "polled", sentAt: NOON, outcome: { kind: "rate_limited", retryAt: NOON + 10 * MINUTE_MS } },
      ctx(NOON),
    );
    const restarted = recover({ ...limited.state, transient: activeState().transient });
    const off = step(
      restarted,
      { kind: "profile_changed", profile: makeProfile({ revision: 2, switchedOn: false }) },
      ctx(NOON + 1000),
    );
    const on = step(
      off.state,
      { kind: "profile_changed", profile: makeProfile({ revision: 3, filtersVersion: 2 }) },
      ctx(NOON + 2000),
    );
    expect(on.state.throttle).toEqual(limited.state.throttle);
    const platform = new SimulatedPlatform({});
    runSimulation(on.state, { platform, from: NOON + 2000, until: NOON + HOUR_MS });
    expect(platform.calls[0]?.at).toBe(NOON + 10 * MINUTE_MS);
  });

  it("doubles the wait up to four hours and stays there while refusals continue", () => {
    const platform = new SimulatedPlatform({ fault: refuse(NOON + 2 * DAY_MS) });
    runSimulation(activeState({ profile: makeProfile({ serviceUntil: NOON + 9 * DAY_MS }) }), {
      platform,
      from: NOON,
      until: NOON + DAY_MS,
    });
    const gaps = platform.polls
      .slice(1)
      .map((poll, index) => Math.round((poll - (platform.polls[index] ?? 0)) / 1000));
    expect(gaps.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3840, 7680]);
    expect(new Set(gaps.slice(9))).toEqual(new Set([14_400]));
  });
});

describe("a platform that signs the driver out", () => {
  it("stops the calls, notifies the driver once, and resumes after linking again", () => {
    const platform = new SimulatedPlatform({
      listedOffers: [drop(makeOffer("a"), NOON + 90_000)],
      fault: (_call, now) =>
        now > NOON + 30_000 && now < NOON + 60_000
          ? { failure: { kind: "signed_out" }, hasEffect: false }
          : null,
    });
    const state = activeState();
    const session = runSimulation(state, {
      platform,
      from: NOON,
      until: NOON + 2 * MINUTE_MS,
      script: [{ at: NOON + 80_000, event: { kind: "linked", warehouses: state.warehouses } }],
    });
    expect(platform.calls.filter((call) => call.at > NOON + 34_000 && call.at < NOON + 80_000)).toEqual([]);
    expect(session.notifications.map(({ kind }) => kind)).toEqual(["needs_link", "captured"]);
  });

  it.each(["offer_gone", "overlap", "weekly_limit", "pay_changed"] as const)(
    "and refuses an accept with %s leads to a lost attempt",
    (reason) => {
      const tried = step(activeState(), polled(makeOffer("a")), ctx(NOON));
      const [id] = tried.state.openAttempts.keys();
      const ended = step(
        tried.state,
        { kind: "accepted", attemptId: id!, outcome: { kind: "lost", reason } },
        ctx(NOON + 40),
      );
      expect(logged(ended.effects)[0]).toMatchObject({
        kind: "attempt_settled",
        attempt: { outcome: { status: "lost", reason } },
      });
      expect(ended.state.held).toEqual([]);
      expect(
        ended.effects.flatMap((effect) => (effect.kind === "notify" ? effect.notifications : [])),
      ).toEqual(reason === "weekly_limit" ? [expect.objectContaining({ kind: "weekly_limit" })] : []);
    },
  );
});
