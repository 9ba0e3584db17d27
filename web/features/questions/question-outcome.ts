import type { LogEntry } from "../../../db/shapes/work/driver-log.ts";
import type { Question, QuestionState } from "../../../db/shapes/work/question.ts";

/** The state of a question by what the dashboard heard since the driver answered it. */
export function latestState(
  { questionId, offer, state }: Question,
  entries: readonly LogEntry[],
): QuestionState {
  if (state.status !== "approved" && state.status !== "accepting") return state;
  for (const { event } of entries) {
    if (event.kind === "question_closed" && event.question.questionId === questionId) {
      if (event.question.state.status === "withdrawn") return event.question.state;
    }
    if (event.kind !== "attempt_settled" || event.at < state.at) continue;
    const { attemptId, offer: tried, outcome } = event.attempt;
    if (tried.offerId !== offer.offerId) continue;
    if (outcome.status === "won") return { status: "captured", at: event.at, attemptId };
    if (outcome.status === "lost") return { status: "missed", at: event.at, attemptId };
  }
  return state;
}
