import { describe, expect, it } from "vitest";
import { SimulatedPlatform, runSimulation } from "./simulate.ts";
import { nextWakeAt } from "../../durable/engine/next-wake.ts";
import { step } from "../../durable/engine/machine.ts";
import { mayCheckVerificationNow } from "../../durable/engine/verification.ts";
import type { DriverState, MachineEvent } from "../../durable/engine/state/types.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { ctx, kinds, makeProfile, NOON, activeState } from "./fixtures.ts";
import { throttled, transientState } from "./parts.ts";
import { wake } from "./steps.ts";

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

describe("whether the platform is asked about a verification", () => {
  const verification = { url: "https://platform.example/selfie", since: NOON - HOUR_MS };
  const may = (checkedAt: number | null, fields: Parameters<typeof transientState>[1] = {}) =>
    mayCheckVerificationNow(
      transientState({ verificationCheckedAt: checkedAt }, { verification, ...fields }),
      NOON,
    );

  it("depends on a second's pause, the link, the switch and waits", () => {
    expect([may(null), may(NOON - 1000), may(NOON - 999)]).toEqual([true, true, false]);
    expect(may(null, { verification: null })).toBe(false);
    const nobody = { ...transientState({}, { verification }), profile: null };
    expect(mayCheckVerificationNow(nobody, NOON)).toBe(false);
    expect(may(null, { link: { status: "signed_out" } })).toBe(false);
    expect(may(null, { profile: makeProfile({ switchedOn: false }) })).toBe(false);
    expect(may(null, throttled(NOON + 1))).toBe(false);
    expect(may(null, throttled(NOON))).toBe(true);
  });
});
