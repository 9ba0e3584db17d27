import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type AttemptId,
  type DurationMs,
  type EpochMs,
} from "../../../db/shapes/units.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import {
  MAX_QUESTIONS_AN_HOUR,
  type Question,
  type QuestionState,
} from "../../../db/shapes/work/question.ts";
import { ASK_SECONDS } from "../../../db/shapes/work/rule-action.ts";
import type { DriverState } from "../state/types.ts";

/** How long a yes is tried where an accept can't leave at once, if the driver had less time left. */
const APPROVAL_MS: DurationMs = MINUTE_MS / 2;
/** How long an ended question says what became of it. */
const KEPT_FOR_MS: DurationMs = DAY_MS;
const MOST_KEPT = 60;

type Questions = Pick<DriverState, "questions">;

/** Questions that may still have an effect: they wait for an answer, or for the attempt after a yes. */
export function openQuestions({ questions }: Questions): Question[] {
  return questions.filter(isOpen);
}

export function isOpen({ state }: Question): boolean {
  return state.status === "waiting" || state.status === "approved";
}

/** When an open question ends by itself. Our clock may have been set back: none waits longer than any driver can choose. */
export function questionEndsAt({ askedAt, closesAt, offer, state }: Question, now: EpochMs): EpochMs {
  if (askedAt - now > ASK_SECONDS.most * 1000) return now;
  return state.status === "approved"
    ? Math.min(offer.expiresAt, Math.max(closesAt, state.at + APPROVAL_MS))
    : closesAt;
}

/** When the next open question ends; null without one. */
export function nextQuestionEnd(state: Questions, now: EpochMs): EpochMs | null {
  const ends = openQuestions(state).map((question) => questionEndsAt(question, now));
  return ends.length > 0 ? Math.min(...ends) : null;
}

/** The latest question about an offer at these terms. */
export function questionAbout(questions: readonly Question[], offer: Offer): Question | undefined {
  return questions.findLast(
    (question) => question.offer.offerId === offer.offerId && question.offer.payCents === offer.payCents,
  );
}

/** Whether an attempt is the effect of the driver's yes. */
export function isAnsweredYes({ questions }: Questions, attemptId: AttemptId): boolean {
  return questions.some(({ state }) => "attemptId" in state && state.attemptId === attemptId);
}

/** Whether an offer can be asked about: it wasn't yet, or the question was withdrawn before it had an effect. */
export function isUnasked({ questions }: Questions, offer: Offer): boolean {
  const known = questionAbout(questions, offer);
  return known === undefined || known.state.status === "withdrawn";
}

/** The questions that may be asked now; if there are none left, when the next one may be. */
export function questionsLeft({ questions }: Questions, now: EpochMs): { left: number; moreAt: EpochMs } {
  const asked = questions
    .filter(({ askedAt, state }) => state.status !== "told" && Math.abs(now - askedAt) < HOUR_MS)
    .map(({ askedAt }) => askedAt)
    .toSorted((one, other) => one - other);
  const oldest = asked.at(-MAX_QUESTIONS_AN_HOUR);
  return {
    left: Math.max(0, MAX_QUESTIONS_AN_HOUR - asked.length),
    moreAt: oldest === undefined ? now : oldest + HOUR_MS,
  };
}

/**
 * The questions plus another one, without those that nobody needs any more: an ended question is kept for a day, and longer
 * while its offer stands. If there are too many, those whose offers ended first go first.
 */
export function withQuestion(questions: readonly Question[], added: Question, now: EpochMs): Question[] {
  const kept = questions.filter(
    (question) =>
      isOpen(question) ||
      question.offer.expiresAt > now ||
      (question.state.status !== "told" && Math.abs(now - question.askedAt) < KEPT_FOR_MS),
  );
  const surplus = new Set(
    kept
      .filter((question) => !isOpen(question) && Math.abs(now - question.askedAt) >= HOUR_MS)
      .toSorted((one, other) => one.offer.expiresAt - other.offer.expiresAt)
      .slice(0, Math.max(0, kept.length + 1 - MOST_KEPT)),
  );
  return [...kept.filter((question) => !surplus.has(question)), added];
}

/** The questions with one of them in another state. */
export function withState(
  questions: readonly Question[],
  { questionId }: Pick<Question, "questionId">,
  state: QuestionState,
): Question[] {
  return questions.map((question) =>
    question.questionId === questionId ? { ...question, state } : question,
  );
}
