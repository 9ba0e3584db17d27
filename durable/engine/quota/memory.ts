import { isTight, MIN_SPARE_LIMIT, recentPolls, steadyGapMs, usedOf, windowMsOf } from "./window.ts";
import { learnQuota, type QuotaReading } from "./learning.ts";
import { MAX_WAIT_MS, type LearnedQuota, type QuotaMemory } from "./quota.ts";
import type { DriverState, TransientState } from "../state/types.ts";
import type { DurationMs, EpochMs } from "../../../db/shapes/units.ts";

/** Polls stored at most, so that the row stays small. Earlier ones are taken for steady. */
const MAX_STORED_POLLS = 300;
/** A window's length that differs by less is not worth a row. */
const LENGTH_TOLERANCE = 0.05;

/**
 * The part of a quota to store. `isWhole` for everything, as before each poll leaves that `mustOutlive` the object's
 * memory. Elsewhere it is the kind and the length of the window, which seldom change, so that an idle poll writes no row.
 */
export function rememberQuota(
  memory: QuotaMemory | null,
  { learned, polls, isWhole }: { learned: LearnedQuota; polls: readonly EpochMs[]; isWhole: boolean },
): QuotaMemory | null {
  if (isWhole) return { learned, polls: recentPolls(learned, polls).slice(-MAX_STORED_POLLS) };
  if (memory && isSameKind(memory, learned)) return memory;
  const { limit } = learned.quota;
  const ended = { anchorAt: 0, windowFrom: 0, othersPerWindow: 0, blockedUntil: 0 };
  return { learned: { ...learned, ...ended, quota: { limit, remaining: limit, resetAt: 0 } }, polls: [] };
}

/**
 * Whether each single poll must be stored: where one too many would exceed the limit, and for a window after the object
 * came back into memory. Elsewhere an object that is lost sends one poll too early; lost once more, it would send another.
 */
export function mustOutlive(
  {
    quota: learned,
    polls,
    quotaRecalledAt: recalledAt,
  }: Pick<TransientState, "quota" | "polls" | "quotaRecalledAt">,
  now: EpochMs,
): boolean {
  if (!learned) return false;
  const isRecalled = recalledAt !== null && now <= recalledAt + windowMsOf(learned);
  return isTight(learned, polls) || (isRecalled && learned.quota.limit < MIN_SPARE_LIMIT);
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
  const waitUntil = quotaWaitUntil === null ? null : Math.min(quotaWaitUntil, latest);
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
    transient: {
      ...transient,
      quota: learned,
      quotaRecalledAt: now,
      polls,
      lastPollAt: polls.at(-1) ?? null,
    },
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

/**
 * Puts polls that nobody wrote down before the known ones, up to the latest and no more than the window counts; a
 * negative count is none.
 */
function withEarlier(
  polls: readonly EpochMs[],
  {
    learned,
    gapMs,
    latest,
    count,
  }: { learned: LearnedQuota; gapMs: DurationMs; latest: EpochMs; count: number },
): readonly EpochMs[] {
  const earlier = Array.from({ length: count }, (_, index) =>
    Math.floor(latest - (count - 1 - index) * gapMs),
  );
  return recentPolls(learned, [...earlier, ...polls]);
}
