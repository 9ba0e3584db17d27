import { queryOptions } from "@tanstack/react-query";
import { sessionsResponse } from "../../../worker/contract/account/sessions.ts";
import { api } from "../client/client.ts";
import type { ApiResponse } from "../client/request-error.ts";
import { parseResponse, requireOk } from "../client/request.ts";

/** Where the driver is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: async () => (await parseResponse(sessionsResponse, await api.flex.v1.sessions.$get())).sessions,
  refetchOnMount: "always",
});

/** DELETE /flex/v1/sessions/{id}. One that has ended already is no error. */
export async function endSession(id: string): Promise<void> {
  const response: ApiResponse = await api.flex.v1.sessions[":id"].$delete({ param: { id } });
  if (response.status !== 404) await requireOk(response);
}

/** DELETE /flex/v1/sessions: every one but this. */
export async function endOtherSessions(): Promise<void> {
  await requireOk(await api.flex.v1.sessions.$delete());
}
