import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { learnQuota } from "../../../durable/engine/quota/learning.ts";
import { learnFrom, mustOutlive, recallQuota, rememberQuota } from "../../../durable/engine/quota/memory.ts";
import type { LearnedQuota, QuotaMemory } from "../../../durable/engine/quota/quota.ts";
import { recordQuota, rememberPoll, rememberPolls } from "../../../durable/engine/quota/quota-record.ts";
import { activeState, NOON } from "../fixtures.ts";
import { know, pollsOf, type Known } from "./known-quota.ts";
import { change, transientState } from "../parts.ts";

/** A minute of sixty calls, of which three were used at the pace: nothing of it is tight. */
const loose = know({ remaining: 57 });
const polls = pollsOf(3, 1_200);
const tight = know({ limit: 5 });
/** The stored part of a quota that isn't tight. */
const kindOf = (learned: LearnedQuota): QuotaMemory => {
  const { limit } = learned.quota;
  const none = { anchorAt: 0, windowFrom: 0, othersPerWindow: 0, blockedUntil: 0 };
  return { learned: { ...learned, ...none, quota: { limit, remaining: limit, resetAt: 0 } }, polls: [] };
};

describe("a stored quota", () => {
  const remember = (memory: QuotaMemory | null, learned: LearnedQuota, isWhole = false) =>
    rememberQuota(memory, { learned, polls, isWhole });

  it("is its kind alone, or everything", () => {
    expect(remember(null, loose)).toEqual(kindOf(loose));
    expect(remember(null, loose, true)).toEqual({ learned: loose, polls });
  });

  it("is everything where nothing may be lost: the quota is tight, or was recalled within its window", () => {
    const must = (quota: LearnedQuota | null, quotaRecalledAt: number | null = null) =>
      mustOutlive({ quota, polls, quotaRecalledAt }, NOON);
    expect([must(null, NOON), must(loose), must(tight)]).toEqual([false, false, true]);
    expect([must(loose, NOON - MINUTE_MS), must(loose, NOON - MINUTE_MS - 1)]).toEqual([true, false]);
    const spare = (limit: number) => must(know({ limit, remaining: limit - 3 }), NOON);
    expect([spare(99), spare(100)]).toEqual([true, false]);
  });

  it("has the latest three hundred polls at most", () => {
    const many = pollsOf(400, 100);
    const learned = know({ limit: 1_000 });
    const memory = rememberQuota(null, { learned, polls: many, isWhole: true });
    expect(memory?.polls).toEqual(many.slice(100));
  });

  it("is not written again while the kind is the same, within a twentieth of its length", () => {
    const known = kindOf(loose);
    const after = (fields: Known) => remember(known, know({ remaining: 57, ...fields }));
    expect(after({})).toBe(known);
    expect(after({ longestResetMs: MINUTE_MS + 2_500 })).toBe(known);
    expect(after({ longestResetMs: MINUTE_MS - 2_500 })).toBe(known);
    for (const other of [{ longestResetMs: 2 * MINUTE_MS }, { limit: 61 }, { rolls: true }])
      expect(after(other)).toEqual(kindOf(know({ remaining: 57, ...other })));
    const whole = { learned: loose, polls };
    expect(remember(whole, loose)).toEqual(known);
  });
});

describe("an object that comes into memory", () => {
  const recall = (quotaMemory: QuotaMemory | null, quotaWaitUntil: number | null = null) =>
    recallQuota(activeState({ quotaMemory, quotaWaitUntil }), NOON);

  it("goes on as it is where nothing is remembered", () => {
    const state = activeState({ quotaWaitUntil: NOON + 4 * HOUR_MS });
    expect(recallQuota(state, NOON)).toBe(state);
    const idle = activeState();
    expect(recallQuota(idle, NOON)).toBe(idle);
  });

  it("takes a wait of more than four hours for a clock that was wrong", () => {
    expect(recall(null, NOON + 4 * HOUR_MS + 1)).toEqual(
      activeState({ quotaMemory: null, quotaWaitUntil: NOON + 4 * HOUR_MS }),
    );
    expect(recall({ learned: tight, polls }, NOON + 5 * HOUR_MS).quotaWaitUntil).toBe(NOON + 4 * HOUR_MS);
  });

  it("knows its polls, save those that are still to come", () => {
    const { transient } = recall({ learned: tight, polls: [NOON - 5, NOON - 4, NOON, NOON + 1] });
    expect(transient).toEqual({
      ...activeState().transient,
      quota: tight,
      quotaRecalledAt: NOON,
      polls: [NOON - 5, NOON - 4, NOON],
      lastPollAt: NOON,
    });
    expect(recall(kindOf(loose)).transient.lastPollAt).toBeNull();
    // Only of a list that was cut some are missing.
    const used = know({ limit: 20, remaining: 5 });
    expect(recall({ learned: used, polls }).transient.polls).toEqual(polls);
  });

  it("takes the polls that were too many to store for steady, before the stored ones", () => {
    const learned = know({ limit: 1_000, remaining: 698, longestResetMs: 90_000 });
    const stored = pollsOf(300, 50);
    const first = stored[0] ?? 0;
    const recalled = recall({ learned, polls: stored }).transient.polls;
    // Two of 302 are missing; the pace is a tenth of a second.
    expect(recalled).toEqual([first - 200, first - 100, ...stored]);
    expect(
      recall({ learned: know({ limit: 1_000, remaining: 702 }), polls: stored }).transient.polls,
    ).toEqual(stored);
  });
});

describe("the first answer after a restart", () => {
  const first = NOON - 40;
  const answer = { quota: { limit: 100, remaining: 60, resetAt: NOON + 50_000 }, now: NOON, tookMs: 40 };
  const known = (fields: Known = {}) =>
    kindOf(know({ limit: 100, longestResetMs: 90_000, ...fields })).learned;

  it("takes the calls that count in a rolling window for our own, sent steadily until just before", () => {
    const { learned, polls: ours } = learnFrom(known({ rolls: true }), { ...answer, polls: [first] });
    const steady = Array.from({ length: 39 }, (_one, index) => first - (38 - index) * 1_000);
    expect(ours).toEqual([...steady, first]);
    expect(learned).toMatchObject({ windowFrom: first - 38_000, othersPerWindow: 0, rolls: true });
  });

  it("takes those of the window before for ours as well, where windows follow each other", () => {
    const { learned, polls: ours } = learnFrom(known(), { ...answer, polls: [first] });
    // The longest reset has faded to 81 s: ninety calls, 0.9 s apart.
    const steady = Array.from({ length: 90 }, (_one, index) => first - (89 - index) * 900);
    expect(ours).toEqual([...steady, first]);
    expect(learned).toMatchObject({ windowFrom: first - 38 * 900, othersPerWindow: 0, rolls: false });
  });

  it("keeps to the pace that was known where the limit has shrunk", () => {
    const shrunk = { ...answer, quota: { ...answer.quota, limit: 50, remaining: 10 }, polls: [first] };
    const { polls: ours } = learnFrom(known({ rolls: true }), shrunk);
    expect((ours.at(-1) ?? 0) - (ours[0] ?? 0)).toBe(38_000);
  });

  it("changes no polls where more than the kind is known, nothing is, or none was sent", () => {
    for (const [before, sent] of [
      [know({ limit: 100 }), [first]],
      [null, [first]],
      [known(), []],
    ] as const)
      expect(learnFrom(before, { ...answer, polls: sent })).toEqual({
        learned: learnQuota(before, { ...answer, polls: sent }),
        polls: sent,
      });
  });
});

describe("recording", () => {
  const at = (learned: LearnedQuota | null, fields: Parameters<typeof transientState>[1] = {}) =>
    transientState({ quota: learned, polls, lastPollAt: NOON }, fields);

  it("an answer learns from when its poll was sent, and remembers", () => {
    const quota = { limit: 60, remaining: 57, resetAt: NOON + 1_500 };
    const before = know({ remaining: 58, isWindowKnown: false, resetAt: NOON + 5 });
    const [now, sentAt] = [NOON + 30, NOON + 10];
    const { state } = change(at(before), (one) => recordQuota(one, quota, sentAt), now);
    const learned = learnQuota(before, { quota, now, tookMs: 20, polls });
    expect(learned.isWindowKnown).toBe(true);
    expect(state).toEqual({
      ...at(learned),
      quotaMemory: kindOf(learned),
      quotaWaitUntil: null,
    });
  });

  it("an answer that uses the quota up stores all of it, and until when", () => {
    const quota = { limit: 60, remaining: 0, resetAt: NOON + MINUTE_MS };
    const { state } = change(at(loose), (one) => recordQuota(one, quota, NOON));
    expect(state.quotaWaitUntil).toBe(NOON + MINUTE_MS);
    expect(state.quotaMemory).toEqual({ learned: state.transient.quota, polls });
  });

  it("an answer stores all of it for a window after it came back into memory", () => {
    const recalled = at(loose);
    const state = { ...recalled, transient: { ...recalled.transient, quotaRecalledAt: NOON } };
    const record = (now: number) =>
      change(state, (one) => recordQuota(one, { ...loose.quota, remaining: 56 }, now), now).state.quotaMemory
        ?.polls;
    expect([record(NOON + 20), record(NOON + MINUTE_MS + 1)]).toEqual([polls, []]);
    expect(change(state, rememberPoll).state.quotaMemory?.polls).toEqual(polls);
  });

  it("a poll stores it where it is tight or the object may leave memory, and keeps a wait that is over", () => {
    const asleep = { kind: "asleep", until: null } as const;
    const known = at(loose, { quotaWaitUntil: NOON });
    for (const state of [known, at(null)]) expect(change(state, rememberPoll).state).toBe(state);
    const leaving = at(loose, { quotaWaitUntil: NOON, phase: asleep });
    expect(change(leaving, rememberPoll).state).toEqual({
      ...leaving,
      quotaMemory: { learned: loose, polls },
    });
    const few = at(tight, { quotaWaitUntil: NOON });
    expect(change(few, rememberPoll).state).toMatchObject({
      quotaMemory: { learned: tight, polls },
      quotaWaitUntil: NOON + 13_334,
    });
  });

  it("the polls of the window stores them, if the quota is known", () => {
    const unknown = at(null);
    expect(change(unknown, rememberPolls).state).toBe(unknown);
    expect(change(at(loose), rememberPolls).state.quotaMemory).toEqual({ learned: loose, polls });
  });
});
