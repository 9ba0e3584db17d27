import { ChevronDown } from "lucide-react";
import { useProductName } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { DaysBackText } from "../landing/days-back.tsx";

/** A question and its answer; both may name the product. */
export type Question = {
  id: string;
  ask: (slots: { product: string }) => string;
  answer: (slots: { product: string }) => string;
  /** The paragraph after the answer that promises how lost time comes back. */
  saysDaysBack?: boolean;
};

/** The most important questions, which the landing page shows too. */
export const FIRST_QUESTIONS: readonly Question[] = [
  { id: "how", ask: m.faqs_how, answer: m.faqs_how_answer },
  { id: "needs", ask: m.faqs_needs, answer: m.faqs_needs_answer },
  { id: "allowed", ask: m.faqs_allowed, answer: m.faqs_allowed_answer },
  { id: "days", ask: m.faqs_days, answer: m.faqs_days_answer },
  { id: "support", ask: m.faqs_support, answer: m.faqs_support_answer },
];

/**
 * Questions that expand in place, without JavaScript. Each has its own address: the browser opens the one whose answer the
 * address names.
 */
export function QuestionList({
  questions,
  onToggle,
}: {
  questions: readonly Question[];
  onToggle?: (id: string, isOpen: boolean) => void;
}) {
  const product = useProductName();
  return (
    <div className="card divide-y divide-line">
      {questions.map(({ id, ask, answer, saysDaysBack }) => (
        <details
          key={id}
          className="question group"
          onToggle={({ newState }) => onToggle?.(id, newState === "open")}
        >
          <summary className="flex min-h-14 list-none items-center justify-between gap-4 rounded-card px-4 py-3 font-semibold focus-visible:-outline-offset-3 sm:px-5 [&::-webkit-details-marker]:hidden">
            {ask({ product })}
            <ChevronDown
              aria-hidden
              className="size-5 shrink-0 text-soft transition-transform duration-150 group-open:rotate-180 print:hidden"
            />
          </summary>
          <p id={id} className="mx-4 max-w-prose scroll-mt-32 pb-5 text-soft sm:mx-5">
            {answer({ product })}
          </p>
          {saysDaysBack && <DaysBackText className="mx-4 max-w-prose pb-5 text-soft sm:mx-5" />}
        </details>
      ))}
    </div>
  );
}
