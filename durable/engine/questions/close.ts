import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import type {
  Answer,
  Question,
  QuestionId,
  QuestionState,
  Withdrawal,
} from "../../../db/shapes/work/question.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { EpochMs, Span } from "../../../db/shapes/units.ts";
import { busySpans, hasSameTerms, judgeOffers } from "../verdicts/judge.ts";
import { overlaps } from "../verdicts/match.ts";
import { isStopped } from "../state/callable.ts";
import { updateState, type Transition } from "../state/transition.ts";
import type { DriverState } from "../state/types.ts";
import { isOpen, openQuestions, questionEndsAt, withState } from "./question-list.ts";

/** Applies an answer. One to a question that is not waiting any more changes nothing: what became of it holds. */
export function applyAnswer(
  transition: Transition,
  { questionId, answer }: { questionId: QuestionId; answer: Answer },
): void {
  const { now } = transition.ctx;
  const question = transition.state.questions.find((known) => known.questionId === questionId);
  if (question?.state.status !== "waiting") return;
  if (answer === "pass") return close(transition, question, { status: "passed", at: now });
  setState(transition, question, { status: "approved", at: now });
}

/** Ends the questions whose time is over. */
export function endOverdue(transition: Transition): void {
  const { now } = transition.ctx;
  for (const question of openQuestions(transition.state)) {
    if (questionEndsAt(question, now) > now) continue;
    if (question.state.status === "waiting") close(transition, question, { status: "unanswered", at: now });
    else withdraw(transition, question, transition.state.verification ? "verification" : "not_in_time");
  }
}

/** Withdraws the questions that what holds now answers. */
export function withdrawOutdated(transition: Transition): void {
  const open = openQuestions(transition.state);
  if (open.length === 0) return;
  for (const question of open) {
    const reason = reasonToWithdraw(transition.state, question, transition.ctx.now);
    if (reason !== null) withdraw(transition, question, reason);
  }
}

/** Withdraws the questions about the times of blocks that may be taken without asking. */
export function withdrawOvertaken(transition: Transition, taken: readonly Offer[]): void {
  for (const question of openQuestions(transition.state)) {
    const { offer } = question;
    if (taken.some((other) => other.offerId !== offer.offerId && overlaps(other, offer)))
      withdraw(transition, question, "other_block");
  }
}

/** Withdraws every open question: the account is being left. */
export function withdrawAll(transition: Transition): void {
  for (const question of openQuestions(transition.state)) withdraw(transition, question, "stopped");
}

/** Whether the driver said yes to an offer at these terms, and nothing was tried since. */
export function isApproved({ questions }: Pick<DriverState, "questions">, offer: Offer): boolean {
  return questions.some(
    ({ offer: asked, state }) =>
      asked.offerId === offer.offerId && state.status === "approved" && hasSameTerms(asked, offer),
  );
}

/** An approved question has its effect: the attempt. */
export function noteAttempt(transition: Transition, { attemptId, offer }: Attempt): void {
  const { now } = transition.ctx;
  for (const question of openQuestions(transition.state)) {
    if (question.offer.offerId === offer.offerId)
      close(transition, question, { status: "accepting", at: now, attemptId });
  }
}

/** The attempt of a question has ended. One that was taken for lost may turn out to be a capture. */
export function noteSettled(transition: Transition, { attemptId, outcome }: Attempt): void {
  const question = transition.state.questions.find(
    ({ state }) => "attemptId" in state && state.attemptId === attemptId,
  );
  if (!question) return;
  const status = outcome.status === "won" ? "captured" : "missed";
  setState(transition, question, { status, at: transition.ctx.now, attemptId });
}

function reasonToWithdraw(state: DriverState, question: Question, now: EpochMs): Withdrawal | null {
  const { offer, filtersVersion } = question;
  const { transient, verdicts } = state;
  if (isStopped(state, now)) return "stopped";
  if (state.profile?.filtersVersion !== filtersVersion) return "filters_changed";
  // After a restart nothing is listed until the first poll.
  if (transient.lastPollAnsweredAt !== null && !transient.openOfferIds.includes(offer.offerId))
    return "offer_gone";
  const verdict = verdicts.get(offer.offerId);
  if (verdict && !hasSameTerms(verdict.offer, offer)) return "offer_changed";
  const isTaken = (span: Span & { offerId: string | null }) =>
    span.offerId !== offer.offerId && overlaps(span, offer);
  if (busySpans(state, "pending").some(isTaken)) return "other_block";
  return verdict && verdict.reasons.length > 0 ? "no_longer_fits" : null;
}

function withdraw(transition: Transition, question: Question, reason: Withdrawal): void {
  close(transition, question, { status: "withdrawn", at: transition.ctx.now, reason });
}

/** Ends an open question. A verdict that depends on how it ended is made anew. */
function close(transition: Transition, question: Question, state: QuestionState): void {
  if (!isOpen(question)) return;
  const closed = setState(transition, question, state);
  transition.log.push({ kind: "question_closed", at: transition.ctx.now, question: closed });
  if (state.status !== "passed" && state.status !== "unanswered") return;
  const offer = transition.state.verdicts.get(question.offer.offerId)?.offer;
  if (offer) judgeOffers(transition, [offer]);
}

function setState(transition: Transition, question: Question, state: QuestionState): Question {
  updateState(transition, { questions: withState(transition.state.questions, question, state) });
  return { ...question, state };
}
