import { describe, expect, it } from "vitest";
import { nextPollAt } from "../../../durable/engine/state/cadence.ts";
import { addPoll, isTight, recentPolls } from "../../../durable/engine/quota/window.ts";
import { callsLeft, longQuotaWait, quotaAllowsAt } from "../../../durable/engine/quota/pace.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { NOON } from "../fixtures.ts";
import { know, pollsOf, waitMs, type Known } from "./known-quota.ts";

describe("a window that follows another", () => {
  it.each<[string, Known, number]>([
    ["leaves a tenth of a fresh one", {}, 1112],
    ["is spread over what is left of it", { resetAt: NOON + 30_000, remaining: 36 }, 1112],
    ["slows down where much is used", { remaining: 16 }, 5455],
    ["keeps the reserve to its end", { remaining: 6 }, MINUTE_MS],
    ["is waited for where it is used up", { remaining: 0, resetAt: NOON + 42_000 }, 42_000],
    ["gives its last call half-way to the end", { remaining: 7, resetAt: NOON + 40_000 }, 20_000],
    ["leaves to others what they use", { othersPerWindow: 27 }, 2143],
    [
      "leaves to others their part of what is left",
      { othersPerWindow: 27, resetAt: NOON + 30_000, remaining: 33 },
      2000,
    ],
    [
      "is over when its latest report says, where an earlier one was made by another clock",
      { remaining: 0, anchorAt: NOON + 58_999 },
      MINUTE_MS,
    ],
    ["is over when its best report says", { remaining: 0, anchorAt: NOON + 59_000 }, 59_000],
    [
      "is over when its latest report says, if that is the best",
      { remaining: 0, anchorAt: NOON + 60_500 },
      MINUTE_MS,
    ],
    ["that is over allows what is steady", { resetAt: NOON - 1 }, 1112],
    ["of one call is waited for, and a little more", { limit: 1, remaining: 1 }, 66_667],
    ["of two calls is spread", { limit: 2 }, 33_334],
    ["that may still be exceeded is waited out", { blockedUntil: NOON + 77_000 }, 77_000],
    ["of a day is waited for four hours at most", { remaining: 0, resetAt: NOON + DAY_MS }, 4 * HOUR_MS],
  ])("%s", (_name, known, ms) => {
    expect(waitMs(known)).toBe(ms);
  });

  it("has no more than our share in any stretch of its length", () => {
    // 54 of 60 within the last 40 seconds: the first of them has to be a window old.
    expect(waitMs({ remaining: 60 }, pollsOf(54, 750))).toBe(MINUTE_MS - 53 * 750);
    expect(waitMs({ remaining: 60 }, pollsOf(53, 750))).toBe(1112);
    // Nothing is left over of five: the first has surely left once a second more has passed.
    expect(waitMs({ limit: 5 }, pollsOf(5, 100))).toBe(MINUTE_MS + 1000 - 400);
    expect(waitMs({ limit: 5, longestResetMs: 10_000, resetAt: NOON }, pollsOf(5, 100))).toBe(10_500 - 400);
  });

  it("that is not known holds nothing back, nor does one in which nothing was asked", () => {
    const pacing = {
      mode: "masacre",
      lastPollAt: NOON,
      pacedFrom: null,
      polls: [],
      pollFloorMs: 100,
    } as const;
    expect(nextPollAt({ ...pacing, quota: null }, 0.5)).toBe(NOON + 100);
    expect(nextPollAt({ ...pacing, quota: know({ remaining: 0 }) }, 0.5)).toBe(NOON + 100);
  });
});

describe("a window that rolls", () => {
  const rolling = (known: Known, polls?: readonly number[]) => waitMs({ rolls: true, ...known }, polls);

  it("is used steadily", () => {
    expect(rolling({})).toBe(1112);
    expect(rolling({ remaining: 7 }, pollsOf(53, 1112))).toBe(1112);
  });

  it("lets our own calls leave it while the reserve is touched", () => {
    const polls = pollsOf(54, 1000);
    // Of 6 in reserve 5 are left, so that two must leave; the second was sent 52 seconds ago.
    expect(rolling({ remaining: 5 }, polls)).toBe(61_000 - 52_000);
    expect(rolling({ remaining: 6 }, polls)).toBe(61_000 - 53_000);
    // One that has just left it is none of them.
    expect(rolling({ remaining: 5 }, [NOON - MINUTE_MS, ...polls])).toBe(61_000 - 52_000);
    // Others used it up: all have left when it says so.
    expect(rolling({ remaining: 0, resetAt: NOON + 62_000 }, pollsOf(3, 1000))).toBe(62_000);
  });

  it("leaves to others what they use of it", () => {
    // Forty used, thirty by us in the last half minute: ten by others, who may need twenty by then.
    const polls = pollsOf(31, 1000);
    expect(rolling({ remaining: 19 }, polls)).toBe(Math.ceil(60_000 / (54 - 20)));
    // Over a whole window it is what it is.
    const whole = pollsOf(41, 1499);
    expect(rolling({ remaining: 9 }, whole)).toBe(Math.ceil(60_000 / (54 - 10.01)));
    // Two of others', right after our first, are four times as many in a whole window.
    expect(rolling({ remaining: 57 }, [NOON])).toBe(Math.ceil(60_000 / (54 - 8)));
    // One call of another's, right after our first: no more than half of the limit is guessed.
    expect(rolling({ remaining: 30 }, [NOON])).toBe(Math.ceil(60_000 / (54 - 30)));
  });
});

describe("a quota with little left", () => {
  it.each<[string, Known, readonly number[], number]>([
    ["all of our share", {}, [], 54],
    ["our share without what we used in the last window", {}, pollsOf(10, 1000), 44],
    ["a poll that just left the window is not among them", {}, [NOON - MINUTE_MS, NOON - MINUTE_MS + 1], 53],
    ["what the platform says is left", { remaining: 3 }, [], 3],
    ["one at least", { remaining: 0 }, [], 1],
    ["our share again where the window is over", { remaining: 3, resetAt: NOON }, [], 54],
    ["what is left while it is not", { remaining: 3, resetAt: NOON + 1 }, [], 3],
    [
      "what is left of one that rolls, whatever was stated",
      { remaining: 3, resetAt: NOON, rolls: true },
      [],
      3,
    ],
  ])("lets one poll take: %s", (_name, known, polls, calls) => {
    expect(callsLeft(know(known), polls, NOON)).toBe(calls);
  });

  it("is asked of the same polls again once more is known of it, or of what they took", () => {
    const polls = [NOON];
    const [fresh, used] = [know(), know({ remaining: 16 })];
    const waits = [
      quotaAllowsAt(fresh, { polls }),
      quotaAllowsAt(used, { polls }),
      quotaAllowsAt(fresh, { polls }),
      quotaAllowsAt(fresh, { polls, calls: 3 }),
    ];
    expect(waits.map((at) => at - NOON)).toEqual([1112, 5455, 1112, 3334]);
  });

  it("lets the object leave memory from ten seconds on", () => {
    const wait = (ms: number, now = NOON) =>
      longQuotaWait(know({ remaining: 0, resetAt: NOON + ms }), { polls: [NOON] }, now);
    expect([wait(10_000), wait(9_999), wait(12_000, NOON + 2_001)]).toEqual([NOON + 10_000, null, null]);
  });
});

describe("a window of unknown length", () => {
  const unknown = (known: Known, polls?: readonly number[]) =>
    waitMs({ isWindowKnown: false, ...known }, polls);

  it("keeps its last place for the poll after its reset", () => {
    const polls = pollsOf(53, 1000);
    expect(unknown({ remaining: 30, resetAt: NOON + 20_000 }, polls)).toBe(20_000);
    expect(unknown({ remaining: 30, resetAt: NOON + 20_000 }, pollsOf(52, 1200))).toBeLessThan(20_000);
  });

  it("that may be an hour is tried again at once after the first poll, and then at its end", () => {
    const known = {
      limit: 60,
      longestResetMs: 10 * MINUTE_MS,
      resetAt: NOON + 10 * MINUTE_MS,
      windowFrom: NOON - 1,
    };
    expect(unknown({ ...known, windowFrom: NOON })).toBe(10_910);
    expect(unknown({ ...known, limit: 600, windowFrom: NOON })).toBe(4000);
    expect(unknown({ ...known, limit: 10, windowFrom: NOON })).toBe(MINUTE_MS);
    expect(unknown(known, [NOON - 1, NOON])).toBe(66_667);
    // Of a few calls the end tells.
    const few = { ...known, limit: 5, remaining: 2 };
    expect(unknown(few, [NOON - 1, NOON])).toBe(10 * MINUTE_MS);
    expect(unknown({ ...few, windowFrom: NOON }, [NOON])).toBe(10 * MINUTE_MS);
    // It may have got no answer: the next keeps to the length that was stated.
    expect(unknown({ ...few, resetAt: NOON }, [NOON - 1, NOON])).toBe(Math.ceil((10 * MINUTE_MS) / 4.5));
  });
});

describe("polls that are remembered", () => {
  it("are those that a window may count", () => {
    expect(recentPolls(know(), [NOON - 60_000, NOON - 59_999, NOON])).toEqual([NOON - 59_999, NOON]);
    expect(recentPolls(know(), [])).toEqual([]);
    expect(recentPolls(know({ isWindowKnown: false }), [NOON - HOUR_MS, NOON])).toHaveLength(2);
  });

  it("are those of two windows, or of two hours where none is known, four thousand at most", () => {
    const tenSeconds = know({ longestResetMs: 10_000 });
    expect(addPoll([NOON - 20_000, NOON - 19_999], NOON, tenSeconds)).toEqual([NOON - 19_999, NOON]);
    expect(addPoll([NOON - 20_001, NOON - 20_000], NOON, tenSeconds)).toEqual([NOON]);
    for (const learned of [null, know({ isWindowKnown: false })])
      expect(addPoll([NOON - 2 * HOUR_MS, NOON - 2 * HOUR_MS + 1], NOON, learned)).toEqual([
        NOON - 2 * HOUR_MS + 1,
        NOON,
      ]);
    const many = addPoll(pollsOf(5000, 1), NOON + 1, null);
    expect([many.length, many.at(-1), many[0]]).toEqual([4000, NOON + 1, NOON - 3998]);
  });

  it.each<[string, Known, number[], boolean]>([
    ["while the window is not known", { isWindowKnown: false }, [NOON], true],
    ["where there are few", { limit: 9, longestResetMs: 10_000 }, [NOON], true],
    ["where there are enough", { limit: 10, longestResetMs: 10_000 }, [NOON], false],
    ["where the next is ten seconds away", { limit: 10, longestResetMs: 90_000 }, [NOON], true],
    ["where others use it", { othersPerWindow: 1.5 }, [NOON], true],
    ["and one call alone is none of theirs", { othersPerWindow: 1 }, [NOON], false],
    ["where others use one that rolls", { rolls: true, remaining: 57 }, [NOON], true],
    ["and one call alone is none of theirs in one that rolls", { rolls: true, remaining: 58 }, [NOON], false],
    ["where they came faster than steadily", {}, pollsOf(4, 500), true],
    ["where they came steadily", {}, pollsOf(40, 1112), false],
    ["where two more than steadily came", {}, pollsOf(3, 600), false],
    ["where exactly two more came", { limit: 100, longestResetMs: 90_000 }, pollsOf(3, 500), false],
  ])("one by one, as a limit is tight: %s", (_name, known, polls, isOne) => {
    expect(isTight(know(known), polls)).toBe(isOne);
  });
});
