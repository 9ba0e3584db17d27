import { describe, expect, it } from "vitest";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const LATER = NOW + 60_000;

const PHASES = [
  { kind: "off" },
  { kind: "asleep", until: LATER },
  { kind: "asleep", until: null },
  { kind: "polling" },
  { kind: "throttled", until: LATER },
  { kind: "quota_used_up", until: LATER },
  { kind: "weekly_limit", until: LATER },
  { kind: "unreachable", retryAt: LATER },
  { kind: "needs_link" },
  { kind: "verification_required", url: null },
  { kind: "no_service", waitingForSpot: false },
  { kind: "no_service", waitingForSpot: true },
] satisfies Phase[];

const inPhase = (phase: Phase, isLinked = true) => possibleNow({ phase, isLinked }, NOW);

describe("the answer to what can be done", () => {
  it("is nothing on the platform in any phase without a linked account", () => {
    for (const phase of PHASES) {
      expect(inPhase(phase, false), phase.kind).toMatchObject({
        capture: "no",
        checkInObstacle: { kind: "not_linked" },
        fetchEarnings: false,
        mustLink: true,
        renew: false,
      });
    }
    expect(inPhase({ kind: "needs_link" })).toEqual(inPhase({ kind: "needs_link" }, false));
  });

  it("includes checking in, except where the platform waits for the driver or makes us wait", () => {
    const prevented = PHASES.map((phase) => [phase.kind, inPhase(phase).checkInObstacle]).filter(
      ([, obstacle]) => obstacle !== null,
    );
    expect(prevented).toEqual([
      ["throttled", { kind: "wait", until: LATER }],
      ["needs_link", { kind: "not_linked" }],
      ["verification_required", { kind: "verification_required" }],
    ]);
    expect(
      possibleNow({ phase: { kind: "throttled", until: NOW }, isLinked: true }, NOW).checkInObstacle,
    ).toBeNull();
  });

  it("includes captures now while polling, and later where they resume on their own", () => {
    const captures = Object.groupBy(PHASES, (phase) => inPhase(phase).capture);
    expect(captures.now?.map(({ kind }) => kind)).toEqual(["polling"]);
    expect(captures.later).toEqual([
      { kind: "asleep", until: LATER },
      { kind: "throttled", until: LATER },
      { kind: "quota_used_up", until: LATER },
      { kind: "weekly_limit", until: LATER },
      { kind: "unreachable", retryAt: LATER },
    ]);
  });

  it("asks for days of service only of a driver who could use them", () => {
    expect(PHASES.filter((phase) => inPhase(phase).mustPay)).toEqual([
      { kind: "no_service", waitingForSpot: false },
    ]);
  });

  it("renews the plan only of a driver who is on and linked", () => {
    expect(PHASES.filter((phase) => !inPhase(phase).renew).map(({ kind }) => kind)).toEqual([
      "off",
      "needs_link",
    ]);
  });
});
