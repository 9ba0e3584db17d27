import { describe, expect, it } from "vitest";
import { nextPollAt, paceFrom, verificationIntervalMs } from "../../../durable/engine/state/cadence.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { NOON } from "../fixtures.ts";
import { know } from "./known-quota.ts";

describe("the pace of polls", () => {
  const pace = (change: Partial<Parameters<typeof nextPollAt>[0]>, roll = 0.5) =>
    nextPollAt(
      {
        mode: "masacre",
        lastPollAt: NOON,
        pacedFrom: null,
        polls: [NOON],
        quota: null,
        pollFloorMs: 1000,
        ...change,
      },
      roll,
    ) - NOON;

  it("is counted from when the last poll was due, and never below 85 % after it was sent", () => {
    expect(pace({ pacedFrom: NOON - 100 })).toBe(900);
    expect(pace({ pacedFrom: NOON - 500 })).toBe(850);
    expect(pace({ pacedFrom: NOON + 200 })).toBe(1200);
    expect(
      nextPollAt(
        { mode: "secure", lastPollAt: null, pacedFrom: null, polls: [], quota: null, pollFloorMs: 1 },
        0,
      ),
    ).toBe(0);
  });

  it("has no jitter at the pace of a quota that is slower", () => {
    // 1,112 ms by the quota: slower than 85 % of a second, so that the second itself has no jitter.
    expect([pace({ quota: know() }, 0), pace({ quota: know() }, 0.99)]).toEqual([1112, 1112]);
    const fast = know({ limit: 120 });
    expect([pace({ quota: fast }, 0), pace({ quota: fast }, 1 - 1e-9)]).toEqual([850, 1150]);
    expect(pace({ quota: know({ limit: 100 }), mode: "lucrative" }, 0)).toBe(2550);
  });

  it("is due anew from a poll that was later than 15 % of the floor, or too early", () => {
    const due = (lateMs: number) => paceFrom({ dueAt: NOON, now: NOON + lateMs, pollFloorMs: 1000 }) - NOON;
    expect([due(0), due(150), due(151), due(-1)]).toEqual([0, 0, 151, -1]);
  });

  it.each([
    [0, 5000],
    [2 * MINUTE_MS - 1, 5000],
    [2 * MINUTE_MS, 15_000],
    [10 * MINUTE_MS - 1, 15_000],
    [10 * MINUTE_MS, MINUTE_MS],
  ])("of asking about a verification that is %i ms old is %i ms", (passedMs, everyMs) => {
    expect(verificationIntervalMs(passedMs)).toBe(everyMs);
  });
});
