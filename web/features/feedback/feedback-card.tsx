import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import { MAX_COMMENT_LENGTH, type FeedbackInput } from "../../../worker/contract/feedback.ts";
import { feedbackQuery, sendFeedback } from "../../api/rewards.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { errorMessage } from "../language/error-messages.ts";

const SCORES = Array.from({ length: 10 }, (_, index) => index + 1);

/** Asks what the driver thinks, where it is time to; a driver who skips it is not asked again for a while. */
export function FeedbackCard() {
  const { data } = useQuery(feedbackQuery);
  return data?.isDue ? <FeedbackForm /> : null;
}

function FeedbackForm() {
  const id = useId();
  const queryClient = useQueryClient();
  const [score, setScore] = useState<number | null>(null);
  const [comment, setComment] = useState("");
  const [isMissing, setMissing] = useState(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: FeedbackInput) => sendFeedback(input),
    onSuccess: (_response, input) => {
      queryClient.setQueryData(feedbackQuery.queryKey, { isDue: false });
      if (input.score !== null) toast(m.feedback_thanks());
    },
  });
  const submit = () => {
    if (isPending) return;
    setMissing(score === null);
    if (score !== null) mutate({ score, comment });
  };
  return (
    <section aria-labelledby={`${id}-title`} data-testid="feedback" className="card grid gap-4 p-5">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        className="grid gap-4"
      >
        <fieldset aria-describedby={isMissing ? `${id}-missing` : undefined}>
          <legend id={`${id}-title`} className="font-display text-lg font-semibold">
            {m.feedback_title()}
          </legend>
          <div className="mt-3 grid grid-cols-5 gap-2 sm:grid-cols-10">
            {SCORES.map((value) => (
              <label
                key={value}
                className="figures grid h-11 place-items-center rounded-field border border-edge font-semibold hover:bg-sunken has-checked:border-ink has-checked:bg-ink has-checked:text-ground has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus)"
              >
                <input
                  type="radio"
                  name={`${id}-score`}
                  className="sr-only"
                  checked={score === value}
                  onChange={() => {
                    setScore(value);
                    setMissing(false);
                  }}
                />
                {value}
              </label>
            ))}
          </div>
          <div aria-hidden className="mt-1 flex justify-between text-sm text-soft">
            <span>{m.feedback_low()}</span>
            <span>{m.feedback_high()}</span>
          </div>
          {isMissing && (
            <p id={`${id}-missing`} role="alert" className="mt-1 text-sm font-semibold text-bad">
              {m.feedback_missing()}
            </p>
          )}
        </fieldset>
        <div className="grid gap-1">
          <label htmlFor={`${id}-comment`} className="text-sm font-semibold">
            {m.feedback_comment()}
          </label>
          <textarea
            id={`${id}-comment`}
            rows={3}
            maxLength={MAX_COMMENT_LENGTH}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
            className="w-full rounded-field border border-edge bg-raised px-3 py-2 text-base text-ink"
          />
        </div>
        {error && <FormError title={m.feedback_failed()} hint={errorMessage(error)} />}
        <div className="flex flex-wrap justify-end gap-3">
          <Button
            variant="quiet"
            aria-disabled={isPending}
            onClick={() => isPending || mutate({ score: null })}
          >
            {m.feedback_skip()}
          </Button>
          <Button type="submit" aria-disabled={isPending}>
            {isPending ? m.feedback_sending() : m.feedback_send()}
          </Button>
        </div>
      </form>
    </section>
  );
}
