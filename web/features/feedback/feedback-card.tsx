import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { toast } from "../../ui/toast.ts";
import { MAX_COMMENT_LENGTH, type FeedbackInput } from "../../../worker/contract/feedback.ts";
import { cacheResponse } from "../../api/cache-response.ts";
import { feedbackQuery, sendFeedback } from "../../api/rewards.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";

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
  const firstScore = useRef<HTMLInputElement>(null);
  const commentField = useRef<HTMLTextAreaElement>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: FeedbackInput) => sendFeedback(input),
    onSuccess: (_response, input) => {
      cacheResponse(queryClient, feedbackQuery, { isDue: false });
      if (input.score !== null) toast(m.feedback_thanks());
    },
    onError: (failure) => {
      const { score: ofScore, comment: ofComment } = fieldMessages(failure);
      if (ofScore !== undefined) firstScore.current?.focus();
      else if (ofComment !== undefined) commentField.current?.focus();
    },
  });
  const submit = () => {
    if (isPending) return;
    setMissing(score === null);
    if (score === null) return firstScore.current?.focus();
    mutate({ score, comment });
  };
  const refused = fieldMessages(error);
  const scoreMessage = isMissing ? m.feedback_missing() : refused["score"];
  const commentMessage = refused["comment"];
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
        <fieldset
          aria-describedby={scoreMessage ? `${id}-missing` : undefined}
          role="radiogroup"
          aria-invalid={scoreMessage !== undefined}
        >
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
                  ref={value === SCORES[0] ? firstScore : null}
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
          {scoreMessage && (
            <p id={`${id}-missing`} role="alert" className="mt-1 text-sm font-semibold text-bad">
              {scoreMessage}
            </p>
          )}
        </fieldset>
        <div className="grid gap-1">
          <label htmlFor={`${id}-comment`} className="text-sm font-semibold">
            {m.feedback_comment()}
          </label>
          <textarea
            ref={commentField}
            id={`${id}-comment`}
            aria-invalid={commentMessage !== undefined}
            aria-describedby={commentMessage ? `${id}-refused` : undefined}
            rows={3}
            maxLength={MAX_COMMENT_LENGTH}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
            className="w-full rounded-field border border-edge bg-raised px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-bad"
          />
          {commentMessage && (
            <p id={`${id}-refused`} className="text-sm font-semibold text-bad">
              {commentMessage}
            </p>
          )}
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
