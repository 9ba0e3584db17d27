import { queryOptions } from "@tanstack/react-query";
import { recordingResponse, type RecordingResponse } from "../../../worker/contract/account/account.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";
import type { ApiResponse } from "../client/request-error.ts";

/** Whether the driver lets their sessions be recorded; null if there is no recording. */
export const recordingQuery = queryOptions({
  queryKey: ["recording"],
  queryFn: async (): Promise<RecordingResponse | null> => {
    const response: ApiResponse = await api.flex.v1.user.recording.$get();
    return response.status === 404 ? null : parseResponse(recordingResponse, response);
  },
  // Asked once for all who need it while a page loads. Another tab or device may have ended it, which this one must notice when
  // it becomes visible again.
  staleTime: MINUTE_MS,
  refetchOnWindowFocus: "always",
  // A question that can't be loaded is not worth a second try, and without an answer nothing is recorded.
  retry: false,
});

/** PUT /flex/v1/user/recording. */
export async function saveRecordingConsent(consent: boolean): Promise<RecordingResponse> {
  return parseResponse(recordingResponse, await api.flex.v1.user.recording.$put({ json: { consent } }));
}
