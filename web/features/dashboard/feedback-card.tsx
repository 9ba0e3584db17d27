import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useId } from "react";
import { toast } from "../../ui/toast.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { feedbackQuery, sendFeedback } from "../../api/queries/feedback.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { clearErrors } from "../../ui/form/remount-state.ts";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { handFocusOn } from "../../ui/hand-focus-on.ts";
import { FormError } from "../../ui/notices.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";
import { MAX_COMMENT_LENGTH } from "../../../worker/contract/voice.ts";
import { Field } from "../../ui/inputs/field.tsx";
import { useFieldControl } from "../../ui/form/contexts.ts";

const EMPTY: { score: number | null; comment: string } = { score: null, comment: "" };

const SCORES = Array.from({ length: 10 }, (_, index) => index + 1);

/** Asks what the driver thinks, where it is time to; a driver who skips it is not asked again for a while. */
export function FeedbackCard() {
  const { data } = useQuery(feedbackQuery);
  return data?.isDue ? <FeedbackForm /> : null;
}

function FeedbackForm() {
  const titleId = useId();
  const queryClient = useQueryClient();
  const close = () => cacheResponse(queryClient, feedbackQuery, { isDue: false });
  const form = useSubmitForm({
    defaultValues: EMPTY,
    send: async ({ score, comment }) => {
      // Each press has its own outcome alone.
      skip.reset();
      if (score !== null) await sendFeedback({ score, comment });
      close();
      toast(m.feedback_thanks());
    },
    describeError: (error) => ({
      message: { title: m.feedback_failed(), hint: errorMessage(error) },
      fields: fieldMessages(error),
    }),
  });
  const skip = useMutation({ mutationFn: () => sendFeedback({ score: null }), onSuccess: close });
  const isSending = useSelector(form.store, (state) => state.isSubmitting);
  const beginSkip = () => {
    clearErrors(form);
    skip.mutate();
  };
  // The server keeps the first of a score and a skip.
  const isUnderWay = isSending || skip.isPending;
  return (
    <section
      ref={handFocusOn}
      aria-labelledby={titleId}
      data-testid="feedback"
      className="card grid gap-4 p-5"
    >
      <form.AppForm>
        <form.Body isHeld={isUnderWay} className="grid gap-4">
          <form.AppField
            name="score"
            validators={{ onDynamic: ({ value }) => (value === null ? m.feedback_missing() : undefined) }}
          >
            {() => <ScoreField titleId={titleId} />}
          </form.AppField>
          <form.AppField name="comment">{() => <CommentField />}</form.AppField>
          <form.SubmitError />
          {skip.error && <FormError title={m.feedback_failed()} hint={errorMessage(skip.error)} />}
          <div className="flex flex-wrap justify-end gap-3">
            <Button variant="quiet" aria-disabled={isUnderWay} onClick={() => isUnderWay || beginSkip()}>
              {m.feedback_skip()}
            </Button>
            <form.SubmitButton isHeld={isUnderWay} variant="plain" pendingLabel={m.feedback_sending()}>
              {m.feedback_send()}
            </form.SubmitButton>
          </div>
        </form.Body>
      </form.AppForm>
    </section>
  );
}

/** The driver's comment on the score. */
function CommentField() {
  const { value, onChange, error } = useFieldControl<string>();
  return (
    <Field label={m.feedback_comment()} error={error}>
      {(inputProps) => (
        <textarea
          {...inputProps}
          rows={3}
          maxLength={MAX_COMMENT_LENGTH}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="w-full rounded-field border border-edge bg-raised px-3 py-2 text-base text-ink aria-invalid:border-2 aria-invalid:border-bad"
        />
      )}
    </Field>
  );
}

/** A score from one to ten. */
function ScoreField({ titleId }: { titleId: string }) {
  const { value: score, onChange, error } = useFieldControl<number | null>();
  const id = useId();
  return (
    <fieldset
      aria-describedby={error ? `${id}-error` : undefined}
      role="radiogroup"
      aria-invalid={error !== undefined}
    >
      <legend id={titleId} className="font-display text-base font-semibold">
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
              onChange={() => onChange(value)}
            />
            {value}
          </label>
        ))}
      </div>
      <div aria-hidden className="mt-1 flex justify-between text-sm text-soft">
        <span>{m.feedback_low()}</span>
        <span>{m.feedback_high()}</span>
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1 text-sm font-semibold text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
