import { describe, expect, it } from "vitest";
import { learnQuota } from "../../../durable/engine/quota/learning.ts";
import { steadyGapMs, usedOf, windowMsOf } from "../../../durable/engine/quota/window.ts";
import type { LearnedQuota, Quota } from "../../../durable/engine/quota/quota.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { NOON } from "../fixtures.ts";
import { know, pollsOf, type Known } from "./known-quota.ts";

describe("an answer's word on a quota", () => {
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
    expect(learnQuota(null, answer({}, { polls: [NOON - 9, NOON - 7, NOON - 4] }))).toMatchObject({
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
    // A second is all that rounding takes.
    const sooner = answer({ resetAt: at + MINUTE_MS }, { now: at - 1001, tookMs: 1 });
    expect(learnQuota(first, sooner)).toMatchObject({ rolls: true, windowFrom: NOON });
    const same = answer({ resetAt: at + 1000 }, { now: at, polls: [NOON, NOON + 1, at - 3] });
    expect(learnQuota(first, same)).toMatchObject({ isWindowKnown: true, windowFrom: at - 3 });
    expect(learnQuota(first, { ...same, polls: [] })).toMatchObject({ windowFrom: at });
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
    // One call before it is too few to tell.
    const once = know({ remaining: 59 });
    const small = answer({ remaining: 59, resetAt: at + 29_999 }, { now: at });
    expect(learnQuota(once, small).rolls).toBe(false);
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
    const over = learnQuota(
      known,
      answer({ resetAt: at + MINUTE_MS }, { now: at, polls: [NOON - 1, ...polls, at] }),
    );
    expect(over.othersPerWindow).toBe(20 - 11);
    // A quarter of the window has passed: one call is none, the rest is extrapolated.
    const now = NOON + 15_000;
    const during = (remaining: number, at_ = now) =>
      learnQuota(know(), answer({ remaining }, { now: at_, polls: [NOON] })).othersPerWindow;
    expect(during(60 - 1 - 5)).toBe(16);
    expect(during(60 - 1 - 1)).toBe(0);
    // Of a window that we saw late, its end tells how much has passed.
    const late = know({ windowFrom: NOON + 20_000 });
    const half = answer({ remaining: 60 - 1 - 5 }, { now: NOON + 30_000, polls: [NOON + 20_000] });
    expect(learnQuota(late, half).othersPerWindow).toBe(8);
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
    // Polls that left the window belong to nobody any more.
    expect(blocked({}, [NOON - 70_000, NOON - 62_001, ...pollsOf(39, 1000)])).toBe(NOON + 62_001);
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
    expect(lengthS({ limit: 20, longestResetMs: 54_000, shortestTurnMs: 58_000 })).toBe(54);
    expect(lengthS({ limit: 20, longestResetMs: 50_000, shortestTurnMs: 150_000 })).toBe(50);
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
