import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { Question, QuestionState } from "../../../db/shapes/work/question.ts";
import { answerQuestion } from "../../api/queries/questions.ts";
import { m } from "../../messages/messages.js";
import { DEVICE_TIME_ZONE } from "../language/format.ts";
import { QuestionChoice } from "./question-choice.tsx";

/** How long a card still says how the question ended that was answered in it. */
const SHOWN_MS = 30_000;

/** Open questions, each with its answers, and the outcome of the one that was answered here last. */
export function QuestionCards({
  questions,
  entries,
}: {
  questions: readonly Question[];
  /** The offers of the feed, the newest first. */
  entries: readonly LogEntry[];
}) {
  const [answered, setAnswered] = useState<Question | null>(null);
  const state = answered && latestState(answered, entries);
  // A newer entry about the offer takes the place of the one that told how the question ended.
  if (answered && state && state !== answered.state) setAnswered({ ...answered, state });
  const status = state?.status;
  useEffect(() => {
    if (status === undefined) return undefined;
    const timer = setTimeout(() => setAnswered(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [status]);
  const others = questions.filter(({ questionId }) => questionId !== answered?.questionId);
  const ended = answered && state && others.length === 0 ? { ...answered, state } : null;
  return [...others, ...(ended ? [ended] : [])].map((question) => (
    <QuestionCard key={question.questionId} question={question} onAnswered={setAnswered} />
  ));
}

function QuestionCard({
  question,
  onAnswered,
}: {
  question: Question;
  onAnswered: (question: Question) => void;
}) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: answerQuestion,
    onSuccess: onAnswered,
  });
  return (
    <section className="card p-5" data-testid="question">
      <QuestionChoice
        question={question}
        timeZone={DEVICE_TIME_ZONE}
        isPending={isPending}
        error={error}
        unsent={m.question_unsent_here()}
        onAnswer={(answer) => mutate({ questionId: question.questionId, answer })}
      />
    </section>
  );
}

/** The state of a question by what the dashboard heard since the driver answered it. */
function latestState({ questionId, offer, state }: Question, entries: readonly LogEntry[]): QuestionState {
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
