import { describe, expect, it } from "vitest";
import { nextWakeAt } from "../../durable/engine/next-wake.ts";
import { phaseOf } from "../../durable/engine/phase.ts";
import { maySendAccept } from "../../durable/engine/attempts/unsettled-attempts.ts";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import { accepted, activeState, ctx, kinds, makeOffer, makeProfile, NOON, SETTINGS } from "./fixtures.ts";
import { byId, makeAttempt } from "./parts.ts";
import { after, polled, wake } from "./steps.ts";

const END = NOON + 3 * DAY_MS;
const profile = makeProfile({ pausedUntil: END, serviceUntil: END + 20 * HOUR_MS });
const paused = activeState({ profile, phase: { kind: "asleep", until: END } });

describe("while the service is paused", () => {
  it("the object sleeps until the end, and nothing is polled", () => {
    expect(phaseOf(paused, NOON, SETTINGS)).toEqual({ kind: "asleep", until: END });
    expect(nextWakeAt(paused, ctx(NOON))).toBe(END);
    expect(wake(paused).effects).toEqual([]);
  });

  it("polls go on at its end", () => {
    expect(kinds(wake(paused, END).effects)).toContain("poll");
  });

  it("polls go on at once where it is ended early", () => {
    const ended = { ...profile, revision: profile.revision + 1, pausedUntil: null };
    const { state } = after(paused, { kind: "profile_changed", profile: ended });
    expect(kinds(wake(state).effects)).toContain("poll");
  });

  it("a list that was on its way is not captured from, nor is an accept sent that was decided before", () => {
    expect(accepted(after(paused, polled(makeOffer("a"))).effects)).toEqual([]);
    const attempt = makeAttempt("a", makeOffer("a"));
    const running = activeState({ openAttempts: byId(attempt) });
    expect(maySendAccept(running, attempt.attemptId, NOON)).toBe(true);
    expect(maySendAccept({ ...running, profile }, attempt.attemptId, NOON)).toBe(false);
  });

  it("the warning of the end of service waits for the end of the pause, once", () => {
    const expiryWarnings = {
      endsAt: END + 20 * HOUR_MS,
      thresholdsMs: [DAY_MS],
      isEndTold: false,
      renewalAt: null,
    };
    const warned = (now: number) => wake({ ...paused, expiryWarnings }, now).effects;
    const told = (now: number) =>
      warned(now).flatMap((effect) => (effect.kind === "notify" ? effect.notifications : []));
    expect(told(END - 1)).toEqual([]);
    expect(told(END).map(({ kind }) => kind)).toEqual(["service_ending"]);
  });
});
