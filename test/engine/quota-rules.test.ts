import { describe, expect, it } from "vitest";
import { nextPollAt, paceFrom, verificationIntervalMs } from "../../durable/engine/cadence.ts";
import {
  addPoll,
  callsLeft,
  isTight,
  learnQuota,
  longQuotaWait,
  recentPolls,
  steadyGapMs,
  usedOf,
  windowMsOf,
} from "../../durable/engine/quota.ts";
import type { LearnedQuota, Quota } from "../../durable/engine/types.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { NOON } from "./fixtures.ts";

type Known = Partial<Omit<LearnedQuota, "quota">> & Partial<Quota>;

/** A window of a minute, known, that began at noon, of which nothing is used. */
function know({
  limit = 60,
  remaining = limit,
  resetAt = NOON + MINUTE_MS,
  ...rest
}: Known = {}): LearnedQuota {
  return {
    quota: { limit, remaining, resetAt },
    longestResetMs: MINUTE_MS,
    isWindowKnown: true,
    shortestTurnMs: null,
    anchorAt: resetAt,
    windowFrom: NOON,
    rolls: false,
    othersPerWindow: 0,
    blockedUntil: 0,
    ...rest,
  };
}

/** So many polls, the last at noon, at this distance. */
const pollsOf = (count: number, gapMs: number) =>
  Array.from({ length: count }, (_one, index) => NOON - (count - 1 - index) * gapMs);

/** How long after the last poll the quota allows the next, where nothing else holds it back. */
function waitMs(known: Known, polls: readonly number[] = [NOON]): number {
  const last = polls.at(-1) ?? NOON;
  const pacing = { mode: "masacre", lastPollAt: last, pacedFrom: null, polls, pollFloorMs: 0 } as const;
  return nextPollAt({ ...pacing, quota: know(known) }, 0) - last;
}

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
      "is over no sooner than its best report says, give or take a second",
      { remaining: 0, anchorAt: NOON + 30_000 },
      59_000,
    ],
    ["is over when its best report says", { remaining: 0, anchorAt: NOON + 59_500 }, 59_500],
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

  it("is waited for out of memory from ten seconds on", () => {
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
    expect(unknown(known, [NOON - 1, NOON])).toBe(66_667);
    // Of a few calls the end tells.
    const few = { ...known, limit: 5, remaining: 2 };
    expect(unknown(few, [NOON - 1, NOON])).toBe(10 * MINUTE_MS);
    expect(unknown({ ...few, windowFrom: NOON }, [NOON])).toBe(10 * MINUTE_MS);
    // It may have got no answer: the next keeps to the length that was stated.
    expect(unknown({ ...few, resetAt: NOON }, [NOON - 1, NOON])).toBe(Math.ceil((10 * MINUTE_MS) / 4.5));
  });
});

describe("what an answer tells of a quota", () => {
  const answer = (
    quota: Partial<Quota>,
    change: { now?: number; tookMs?: number; polls?: readonly number[] } = {},
  ) => {
    const { now = NOON, tookMs = 0, polls = [now] } = change;
    return { quota: { limit: 60, remaining: 59, resetAt: NOON + MINUTE_MS, ...quota }, now, tookMs, polls };
  };
  const first = learnQuota(null, answer({}));

  it("is little at first", () => {
    expect(first).toEqual(know({ remaining: 59, isWindowKnown: false }));
    expect(learnQuota(null, answer({ resetAt: NOON - 5 }, { polls: [] }))).toMatchObject({
      longestResetMs: 0,
      windowFrom: NOON,
    });
    expect(learnQuota(null, answer({}, { polls: [NOON - 9, NOON - 4] }))).toMatchObject({
      windowFrom: NOON - 4,
    });
  });

  it("is that its window is over once its end was reached", () => {
    const at = NOON + MINUTE_MS;
    const next = learnQuota(first, answer({ resetAt: at + MINUTE_MS }, { now: at, polls: [NOON, at] }));
    expect(next).toEqual(
      know({ remaining: 59, resetAt: at + MINUTE_MS, windowFrom: at, shortestTurnMs: MINUTE_MS }),
    );
    // A poll that was sent before the end tells nothing of the next window.
    const early = answer({ remaining: 58 }, { now: at, tookMs: 1, polls: [NOON, at - 1] });
    expect(learnQuota(first, early)).toMatchObject({ isWindowKnown: false, windowFrom: NOON });
    // Unless the window that it reports ends later: the end was rounded up.
    const moved = answer({ resetAt: at + MINUTE_MS }, { now: at - 1000, tookMs: 1 });
    expect(learnQuota(first, moved)).toMatchObject({ isWindowKnown: true, windowFrom: at - 1000 });
    const within = answer({ resetAt: NOON + MINUTE_MS + 2000 }, { now: at - 1000, tookMs: 1 });
    expect(learnQuota(first, within)).toMatchObject({ isWindowKnown: false, rolls: false });
  });

  it("is that it rolls where its end moves before it was reached", () => {
    const moving = (ms: number, tookMs = 0) =>
      learnQuota(
        first,
        answer({ remaining: 58, resetAt: first.anchorAt + ms }, { now: NOON + 5000, tookMs }),
      );
    expect(moving(2000)).toMatchObject({ rolls: false, isWindowKnown: false, anchorAt: first.anchorAt });
    expect(moving(2001)).toMatchObject({ rolls: true, isWindowKnown: true, anchorAt: first.anchorAt + 2001 });
    expect(moving(2500, 500)).toMatchObject({ rolls: false });
    expect(moving(2501, 500)).toMatchObject({ rolls: true });
    expect(moving(-300)).toMatchObject({ rolls: false, anchorAt: first.anchorAt - 300 });
  });

  it("is that it rolls where its end moves by less than a window", () => {
    const known = know({ remaining: 40 });
    const at = NOON + MINUTE_MS;
    const after = (movedMs: number, remaining: number, limit = 60) =>
      learnQuota(known, answer({ limit, remaining, resetAt: at + movedMs }, { now: at })).rolls;
    expect(after(29_999, 40)).toBe(true);
    expect(after(30_000, 40)).toBe(false);
    // Where most of it is free again, it was another window.
    expect(after(29_999, 50)).toBe(false);
    expect(after(29_999, 49)).toBe(true);
    // A limit that changed tells nothing.
    expect(after(29_999, 40, 61)).toBe(false);
    expect(
      learnQuota({ ...known, rolls: true }, answer({ resetAt: at + MINUTE_MS, remaining: 59 }, { now: at }))
        .rolls,
    ).toBe(false);
    const fresh = { ...known, quota: { ...known.quota, remaining: 59 }, rolls: true };
    expect(learnQuota(fresh, answer({ resetAt: at + MINUTE_MS, remaining: 59 }, { now: at })).rolls).toBe(
      true,
    );
  });

  it("is a shorter window where resets follow each other sooner", () => {
    const at = NOON + MINUTE_MS;
    const turn = (known: LearnedQuota, ms: number) =>
      learnQuota(known, answer({ resetAt: known.anchorAt + ms, remaining: 59 }, { now: at })).shortestTurnMs;
    expect(turn(know(), 50_000)).toBe(50_000);
    expect(turn(know({ shortestTurnMs: 40_000 }), 50_000)).toBe(40_000);
    expect(turn(know({ shortestTurnMs: 55_000 }), 50_000)).toBe(50_000);
    expect(turn(know({ shortestTurnMs: 55_000 }), 0)).toBe(55_000);
  });

  it("fades, so that a window that became shorter is learned, where the limit tells its length exactly", () => {
    const at = NOON + MINUTE_MS;
    const longest = (limit: number, rolls = false) =>
      learnQuota(
        know({ limit, rolls, remaining: limit }),
        answer({ limit, remaining: limit - 1, resetAt: at + 10_000 }, { now: at }),
      ).longestResetMs;
    expect(longest(20)).toBe(54_000);
    expect(longest(19)).toBe(MINUTE_MS);
    expect(longest(20, true)).toBe(MINUTE_MS);
  });

  it("is how many calls others made: in the last window, or already in this", () => {
    const at = NOON + MINUTE_MS;
    const known = know({ remaining: 40, windowFrom: NOON });
    const polls = pollsOf(10, 1000).map((poll) => poll + 10_000);
    const over = learnQuota(known, answer({ resetAt: at + MINUTE_MS }, { now: at, polls: [...polls, at] }));
    expect(over.othersPerWindow).toBe(20 - 11);
    // A quarter of the window has passed: one call is none, the rest is extrapolated.
    const now = NOON + 15_000;
    const during = (remaining: number, at_ = now) =>
      learnQuota(know(), answer({ remaining }, { now: at_, polls: [NOON] })).othersPerWindow;
    expect(during(60 - 1 - 5)).toBe(16);
    expect(during(60 - 1 - 1)).toBe(0);
    expect(during(60 - 1 - 5, now - 1)).toBe(0);
    expect(
      learnQuota(know({ othersPerWindow: 30 }), answer({ remaining: 54 }, { now, polls: [NOON] }))
        .othersPerWindow,
    ).toBe(30);
  });

  it("is until when a rolling quota that has shrunk may be exceeded", () => {
    const before = know({ rolls: true, remaining: 20 });
    const blocked = (quota: Partial<Quota>, polls = pollsOf(10, 1000), known = before) =>
      learnQuota(known, answer({ limit: 30, remaining: 0, resetAt: NOON + 62_001, ...quota }, { polls }))
        .blockedUntil;
    expect(blocked({})).toBe(NOON + 62_001);
    expect(blocked({ remaining: 1 })).toBe(0);
    expect(blocked({ limit: 60 })).toBe(0);
    expect(blocked({}, pollsOf(40, 1000))).toBe(0);
    expect(blocked({}, pollsOf(39, 1000))).toBe(NOON + 62_001);
    expect(blocked({ resetAt: NOON + MINUTE_MS }, pollsOf(10, 1000), { ...before, rolls: false })).toBe(0);
    expect(blocked({ limit: 60 }, pollsOf(10, 1000), { ...before, blockedUntil: NOON + 5 })).toBe(NOON + 5);
  });
});

describe("the length of a window", () => {
  const lengthS = (known: Known) => windowMsOf(know(known)) / 1000;

  it("is taken for a minute, an hour or a day until one has ended", () => {
    const unknown = (longestResetMs: number) => lengthS({ isWindowKnown: false, longestResetMs });
    expect([unknown(0), unknown(60_000), unknown(60_001), unknown(3_600_000), unknown(3_600_001)]).toEqual([
      60, 60, 3600, 3600, 86_400,
    ]);
    expect([unknown(86_400_000), unknown(86_400_001)]).toEqual([86_400, 86_400.001]);
  });

  it("is its longest reset, at least a second, where there are many calls in it", () => {
    const of = (longestResetMs: number, limit = 20) => lengthS({ limit, longestResetMs });
    expect([of(50_500), of(200), of(90_000_000, 5)]).toEqual([50.5, 1, 90_000]);
  });

  it.each([
    [200, 1],
    [1001, 2],
    [4000, 5],
    [9000, 10],
    [12_000, 15],
    [18_000, 20],
    [25_000, 30],
    [50_000, 60],
    [80_000, 90],
    [100_000, 120],
    [170_000, 180],
    [250_000, 300],
    [500_000, 600],
    [800_000, 900],
    [1_500_000, 1800],
    [3_000_000, 3600],
    [7_000_000, 7200],
    [14_000_000, 14_400],
    [80_000_000, 86_400],
  ])("of few calls whose longest reset was %i ms is the next usual one, %i s", (longestResetMs, seconds) => {
    expect(lengthS({ limit: 19, longestResetMs })).toBe(seconds);
  });

  it("of few calls is no longer than two resets of it are apart, unless it rolls", () => {
    expect(lengthS({ limit: 5, longestResetMs: 50_000, shortestTurnMs: 55_000 })).toBe(55);
    expect(lengthS({ limit: 5, longestResetMs: 50_000, shortestTurnMs: 40_000 })).toBe(50);
    expect(lengthS({ limit: 5, longestResetMs: 50_000, shortestTurnMs: 55_000, rolls: true })).toBe(60);
  });

  it("is what two resets of it are apart, where we asked too late after the first to see it whole", () => {
    // Asked every few seconds, the first answer in a window tells its length but for one of those gaps.
    expect(lengthS({ limit: 20, longestResetMs: 57_000, shortestTurnMs: 61_000 })).toBe(57);
    expect(lengthS({ limit: 5, longestResetMs: 50_000, shortestTurnMs: 64_000 })).toBe(60);
    // After a pause it doesn't: 31 seconds had passed unseen.
    expect(lengthS({ limit: 20, longestResetMs: 89_000, shortestTurnMs: 120_000 })).toBe(120);
    expect(lengthS({ limit: 19, longestResetMs: 89_000, shortestTurnMs: 120_000 })).toBe(120);
    expect(lengthS({ limit: 20, longestResetMs: 89_000, shortestTurnMs: 120_000, rolls: true })).toBe(89);
    // Of one call a window the resets are as far apart as the calls.
    expect(lengthS({ limit: 1, longestResetMs: 30_000, shortestTurnMs: 66_700 })).toBe(30);
    // Resets that are hours apart tell nothing.
    expect(lengthS({ limit: 20, longestResetMs: 50_000, shortestTurnMs: 3 * HOUR_MS })).toBe(50);
  });

  it("spreads its polls", () => {
    expect(steadyGapMs(know())).toBeCloseTo(60_000 / 54, 9);
    expect(steadyGapMs(know({ limit: 0 }))).toBeCloseTo(60_000 / 0.9, 9);
    expect([
      usedOf({ limit: 5, remaining: 2, resetAt: 0 }),
      usedOf({ limit: 5, remaining: 7, resetAt: 0 }),
    ]).toEqual([3, 0]);
  });
});

describe("polls that are remembered", () => {
  it("are those that a window may count", () => {
    expect(recentPolls(know(), [NOON - 60_000, NOON - 59_999, NOON])).toEqual([NOON - 59_999, NOON]);
    expect(recentPolls(know(), [])).toEqual([]);
  });

  it("are those of two windows, or of two hours where none is known, four thousand at most", () => {
    expect(addPoll([NOON - 20_000, NOON - 19_999], NOON, 10_000)).toEqual([NOON - 19_999, NOON]);
    expect(addPoll([NOON - 2 * HOUR_MS, NOON - 2 * HOUR_MS + 1], NOON, null)).toEqual([
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
  ])("one by one, as a limit is tight: %s", (_name, known, polls, isOne) => {
    expect(isTight(know(known), polls)).toBe(isOne);
  });
});

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
