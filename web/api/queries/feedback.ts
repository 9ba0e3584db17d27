import { queryOptions } from "@tanstack/react-query";
import { feedbackResponse, type FeedbackInput } from "../../../worker/contract/voice.ts";
import { api } from "../client/client.ts";
import { parseResponse, requireOk } from "../client/request.ts";

/** Whether to ask the driver for feedback. */
export const feedbackQuery = queryOptions({
  queryKey: ["feedback"],
  queryFn: async () => parseResponse(feedbackResponse, await api.flex.v1.feedback.$get()),
  staleTime: 5 * 60_000,
  // A question that can't be loaded is not worth a second try.
  retry: false,
});

/** POST /flex/v1/feedback. */
export async function sendFeedback(input: FeedbackInput): Promise<void> {
  await requireOk(await api.flex.v1.feedback.$post({ json: input }));
}
