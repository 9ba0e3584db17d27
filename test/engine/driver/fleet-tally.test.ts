import { describe, expect, it } from "vitest";
import type { FailureCause } from "../../../db/shapes/fleet.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { countCityStep, countStep } from "../../../durable/driver/logs/fleet-tally.ts";
import type { MachineStep } from "../../../durable/driver/machine-step.ts";
import { step } from "../../../durable/engine/machine.ts";
import { nextWakeAt } from "../../../durable/engine/next-wake.ts";
import type { AcceptOutcome, PollOutcome } from "../../../durable/engine/state/outcomes.ts";
import type { DriverState, MachineEvent } from "../../../durable/engine/state/types.ts";
import { activeState, ctx, makeBlock, makeOffer, NOON, SETTINGS } from "../fixtures.ts";
import { attempts, polled, UNCHANGED, wake } from "../steps.ts";

const stepOf = (before: DriverState, event: MachineEvent, now = NOON): MachineStep => {
  const { state, effects } = step(before, event, ctx(now));
  return { before, event, state, effects };
};
const counted = (before: DriverState, event: MachineEvent, now = NOON) => {
  const made = stepOf(before, event, now);
  const fields = countStep(made, now, SETTINGS);
  const city = countCityStep(made, fields, now);
  return { fields, city: Object.fromEntries(Object.entries(city).filter(([, count]) => count !== 0)) };
};
const answered = (outcome: PollOutcome): MachineEvent => ({ kind: "polled", sentAt: NOON, outcome });

describe("an answer of the platform", () => {
  const looking = wake(activeState()).state;
  const unreachable = (cause?: FailureCause): PollOutcome => ({
    kind: "unreachable",
    ...(cause && { cause }),
  });

  it.each([
    [{ kind: "unchanged", quota: null }, "answered", "answered"],
    [{ kind: "signed_out" }, "unauthorized", "refused"],
    [{ kind: "verification_required", url: null }, "forbidden", "refused"],
    [{ kind: "rate_limited", retryAt: null }, "limited", "refused"],
    [{ kind: "refused", status: 418 }, "refused", "failed"],
    [{ kind: "unreadable" }, "unreadable", "failed"],
    [{ kind: "timeout" }, "timedOut", "failed"],
    [unreachable(), "failed", "failed"],
    [unreachable("dns"), "nameNotFound", "failed"],
    [unreachable("tls"), "untrusted", "failed"],
    [unreachable("refused"), "notListening", "failed"],
    [unreachable("reset"), "disconnected", "failed"],
    [unreachable("timed_out"), "timedOut", "failed"],
  ] satisfies [PollOutcome, string, string][])(
    "%o counts as %s, and in its city as %s",
    (outcome, field, city) => {
      expect(counted(looking, answered(outcome))).toEqual({
        fields: [field],
        city: { [city]: 1, callAt: NOON },
      });
    },
  );
});

describe("an attempt", () => {
  const tried = stepOf(wake(activeState()).state, polled(makeOffer("a")));
  const [attempt] = attempts({ state: tried.state, effects: [...tried.effects] });
  const settled = (outcome: AcceptOutcome) => {
    if (!attempt) throw new Error("no attempt was started");
    return counted(tried.state, { kind: "accepted", attemptId: attempt.attemptId, outcome }, NOON + 100)
      .fields;
  };

  it("counts as a capture where it won, and as a loss where it left and lost", () => {
    expect(settled({ kind: "won", block: makeBlock(makeOffer("a")) })).toEqual(["answered", "captures"]);
    expect(settled({ kind: "lost", reason: "offer_gone" })).toEqual(["answered", "losses"]);
    expect(settled({ kind: "withdrawn" })).toEqual([]);
  });

  it("counts its offer once in the city, as one that was wanted", () => {
    const { fields, city } = counted(tried.before, tried.event);
    expect([fields, city]).toEqual([
      ["answered"],
      { answered: 1, callAt: NOON, offers: 1, offerAt: NOON, matches: 1, matchAt: NOON },
    ]);
    expect(counted(tried.state, polled(makeOffer("a"))).city).not.toHaveProperty("offers");
  });
});

describe("the lateness of a poll", () => {
  const looked = stepOf(wake(activeState()).state, UNCHANGED).state;
  const due = nextWakeAt(looked, ctx(NOON)) ?? 0;
  const lateBy = (ms: number, before = looked) => counted(before, { kind: "woke" }, due + ms).fields;

  it("is counted from the instant at which the pace lets it leave", () => {
    expect([lateBy(0), lateBy(50), lateBy(51), lateBy(1_001)]).toEqual([
      ["late50"],
      ["late50"],
      ["late100"],
      ["late2500"],
    ]);
  });

  it("is not counted of a first poll, nor of one after a pause", () => {
    expect(counted(activeState(), { kind: "woke" }).fields).toEqual([]);
    expect(lateBy(3 * MINUTE_MS)).toEqual([]);
    expect(lateBy(0, { ...looked, phase: { kind: "asleep", until: due } })).toEqual([]);
  });
});
