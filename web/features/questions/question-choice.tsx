import { useEffect, useState } from "react";
import type { Answer, Question } from "../../../db/shapes/work/question.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { formatBlockLength, formatCount, formatMoney, formatTime } from "../language/format.ts";
import { questionMessage } from "../offers/question-messages.ts";
import { serverNow } from "../../early/server-clock.ts";

type QuestionChoiceProps = {
  question: Question;
  /** The driver's device's zone, for a place that is not known. */
  timeZone: string;
  onAnswer: (answer: Answer) => void;
  isPending: boolean;
  error: Error | null;
  /** The title over the reason why an answer couldn't be sent. */
  unsent: string;
};

/** An offer, the time left, and the two answers; afterwards what became of it. */
export function QuestionChoice({
  question,
  timeZone,
  onAnswer,
  isPending,
  error,
  unsent,
}: QuestionChoiceProps) {
  const { offer, place, state, closesAt } = question;
  const [now, setNow] = useState(serverNow);
  const isWaiting = state.status === "waiting" && closesAt > now;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  const when = formatTime(offer.startsAt, { timeZone: place?.timeZone ?? timeZone, now });
  const shown =
    state.status === "waiting" && !isWaiting ? { status: "unanswered" as const, at: closesAt } : state;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg">{questionMessage(shown)}</h2>
        {isWaiting && (
          <p className="figures font-semibold text-warn" aria-hidden>
            {m.unit_seconds({ seconds: formatCount(Math.ceil((closesAt - now) / 1000)) })}
          </p>
        )}
      </div>
      <p className="figures">
        {[
          place?.name ?? m.warehouse_unnamed(),
          when,
          formatBlockLength(offer),
          formatMoney(offer.payCents, offer.currency),
        ].join("\u00a0· ")}
      </p>
      {/* An answer that was lost may have arrived. */}
      {error && state.status === "waiting" && <FormError title={unsent} hint={errorMessage(error)} />}
      {isWaiting && (
        <div className="grid grid-cols-2 gap-3">
          <Button variant="primary" aria-disabled={isPending} onClick={() => isPending || onAnswer("take")}>
            {m.question_take()}
          </Button>
          <Button variant="plain" aria-disabled={isPending} onClick={() => isPending || onAnswer("pass")}>
            {m.question_pass()}
          </Button>
        </div>
      )}
    </div>
  );
}
