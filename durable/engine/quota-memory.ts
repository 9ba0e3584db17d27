import {
  isTight,
  learnQuota,
  recentPolls,
  steadyGapMs,
  usedOf,
  windowMsOf,
  type QuotaReading,
} from "./quota.ts";
import { MAX_WAIT_MS } from "./max-wait.ts";
import type { DriverState, LearnedQuota, QuotaMemory } from "./types.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";

/** Polls stored at most, so that the row stays small. Earlier ones are taken for steady. */
const MAX_STORED_POLLS = 300;
/** A window's length that differs by less is not worth a row. */
const LENGTH_TOLERANCE = 0.05;

/**
 * What to store of a quota. Where one poll too many would exceed the limit, or the object leaves memory before the next,
 * that is everything, before each poll leaves. Elsewhere it is the kind and the length of the window, which
 * seldom change, so that an idle poll writes no row: an object that was lost then sends one poll too early at most.
 */
export function rememberQuota(
  memory: QuotaMemory | null,
  {
    learned,
    polls,
    mayLeaveMemory,
  }: { learned: LearnedQuota; polls: readonly EpochMs[]; mayLeaveMemory: boolean },
): QuotaMemory | null {
  if (isTight(learned, polls) || mayLeaveMemory)
    return { learned, polls: recentPolls(learned, polls).slice(-MAX_STORED_POLLS) };
  if (!learned.isWindowKnown || (memory && isSameKind(memory, learned))) return memory;
  const { limit } = learned.quota;
  const ended = { anchorAt: 0, windowFrom: 0, othersPerWindow: 0, blockedUntil: 0 };
  return { learned: { ...learned, ...ended, quota: { limit, remaining: limit, resetAt: 0 } }, polls: [] };
}

function isSameKind({ learned: known, polls }: QuotaMemory, learned: LearnedQuota): boolean {
  return (
    polls.length === 0 &&
    known.quota.limit === learned.quota.limit &&
    known.rolls === learned.rolls &&
    Math.abs(known.longestResetMs / learned.longestResetMs - 1) < LENGTH_TOLERANCE
  );
}

/** The state of an object that has just come into memory, with what it remembers of the quota. */
export function recallQuota(state: DriverState, now: EpochMs): DriverState {
  const { quotaMemory, quotaWaitUntil, transient } = state;
  // A wait that is still so far away was stored by a clock that was wrong.
  const latest = now + MAX_WAIT_MS;
  const waitUntil = quotaWaitUntil !== null && quotaWaitUntil > latest ? latest : quotaWaitUntil;
  if (!quotaMemory) return waitUntil === quotaWaitUntil ? state : { ...state, quotaWaitUntil: waitUntil };
  const { learned } = quotaMemory;
  const stored = quotaMemory.polls.filter((at) => at <= now);
  const [first] = stored;
  const isCut = stored.length === MAX_STORED_POLLS && first !== undefined;
  const gapMs = steadyGapMs(learned);
  const count = usedOf(learned.quota) - stored.length;
  const polls = isCut ? withEarlier(stored, { learned, gapMs, latest: first - gapMs, count }) : stored;
  return {
    ...state,
    quotaWaitUntil: waitUntil,
    transient: { ...transient, quota: learned, polls, lastPollAt: polls.at(-1) ?? null },
  };
}

/**
 * Learns from an answer. After a restart that left only the kind of the window, the calls that count already are taken
 * for our own, sent steadily: nobody else's pace would be guessed better, and ours leave the window just so. In a window
 * that follows another, those before it were sent as steadily. The latest may have left just before the restart.
 */
export function learnFrom(
  known: LearnedQuota | null,
  answer: QuotaReading,
): { learned: LearnedQuota; polls: readonly EpochMs[] } {
  const learned = learnQuota(known, answer);
  const [first] = answer.polls;
  if (known?.quota.resetAt !== 0 || first === undefined) return { learned, polls: answer.polls };
  const gapMs = Math.min(steadyGapMs(known), steadyGapMs(learned));
  const before = { learned, gapMs, latest: first };
  const ours = withEarlier(answer.polls, { ...before, count: usedOf(learned.quota) - answer.polls.length });
  return {
    learned: { ...learned, windowFrom: ours[0] ?? answer.now, othersPerWindow: 0 },
    polls: learned.rolls
      ? ours
      : withEarlier(answer.polls, { ...before, count: Math.ceil(windowMsOf(learned) / gapMs) }),
  };
}

/** Puts polls that nobody wrote down before the known ones, up to the latest and no more than the window counts. */
function withEarlier(
  polls: readonly EpochMs[],
  {
    learned,
    gapMs,
    latest,
    count,
  }: { learned: LearnedQuota; gapMs: DurationMs; latest: EpochMs; count: number },
): readonly EpochMs[] {
  const earlier = Array.from({ length: Math.max(0, count) }, (_, index) =>
    Math.max(0, Math.floor(latest - (count - 1 - index) * gapMs)),
  );
  return recentPolls(learned, [...earlier, ...polls]);
}
