import { describe, expect, it } from "vitest";
import { waitsUntil } from "../../durable/engine/state/callable.ts";
import { phaseOf } from "../../durable/engine/phase.ts";
import { makeProfile, NOON, SETTINGS } from "./fixtures.ts";
import { throttled, transientState } from "./parts.ts";

const phase = (...given: Parameters<typeof transientState>) =>
  phaseOf(transientState(...given), NOON, SETTINGS);
const polling = { kind: "polling" };
const inFlight = new Map([["poll" as const, NOON - 1]]);

describe("the phase that a driver sees", () => {
  it("is off without a profile, and without service where that has no end or is over", () => {
    expect(phaseOf({ ...transientState({}), profile: null }, NOON, SETTINGS)).toEqual({ kind: "off" });
    const paid = (serviceUntil: number | null) => phase({}, { profile: makeProfile({ serviceUntil }) });
    expect([paid(null), paid(NOON)]).toEqual([
      { kind: "no_service", waitingForSpot: false },
      { kind: "no_service", waitingForSpot: false },
    ]);
    expect(paid(NOON + 1)).toEqual(polling);
  });

  it("is throttled until the wait ends, and not in that instant", () => {
    expect(phase({}, throttled(NOON + 1))).toEqual({ kind: "throttled", until: NOON + 1 });
    expect([phase({}, throttled(NOON)), phase({}, throttled(null))]).toEqual([polling, polling]);
    const waits = (until: number | null) => waitsUntil(transientState({}, throttled(until)), NOON);
    expect([waits(NOON + 1), waits(NOON), waits(null)]).toEqual([NOON + 1, null, null]);
  });

  it("is a quota that is used up until the poll at its end is answered", () => {
    const used = { kind: "quota_used_up", until: NOON };
    expect(phase({}, { quotaWaitUntil: NOON + 1 })).toEqual({ ...used, until: NOON + 1 });
    expect(phase({ inFlight }, { quotaWaitUntil: NOON })).toEqual(used);
    expect(phase({}, { quotaWaitUntil: NOON })).toEqual(polling);
    expect(phase({ inFlight }, { quotaWaitUntil: null })).toEqual(polling);
  });
});
