import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";
import { toast } from "../../ui/toast.ts";
import { cacheResponse } from "../../api/cache/cache-response.ts";
import { feedbackQuery, sendFeedback } from "../../api/queries/feedback.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";
import { CommentField } from "./comment-field.tsx";
import { ScoreField } from "./score-field.tsx";

const EMPTY: { score: number | null; comment: string } = { score: null, comment: "" };

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
  return (
    <section aria-labelledby={titleId} data-testid="feedback" className="card grid gap-4 p-5">
      <form.AppForm>
        <form.Body className="grid gap-4">
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
            <Button
              variant="quiet"
              aria-disabled={skip.isPending}
              onClick={() => skip.isPending || skip.mutate()}
            >
              {m.feedback_skip()}
            </Button>
            <form.SubmitButton variant="plain" pendingLabel={m.feedback_sending()}>
              {m.feedback_send()}
            </form.SubmitButton>
          </div>
        </form.Body>
      </form.AppForm>
    </section>
  );
}
