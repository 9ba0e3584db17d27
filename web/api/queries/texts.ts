import { queryOptions } from "@tanstack/react-query";
import { textsResponse } from "../../../worker/contract/account/texts.ts";
import { api } from "../client/client.ts";
import { parseResponse, requireOk } from "../client/request.ts";

/** Whether texts reach the driver. */
export const textsQuery = queryOptions({
  queryKey: ["texts"],
  queryFn: async () => parseResponse(textsResponse, await api.flex.v1.user.texts.$get()),
  // What became of a text is reported minutes after it.
  staleTime: 10_000,
});

/** POST /flex/v1/user/texts/test. */
export async function sendTestText(): Promise<void> {
  await requireOk(await api.flex.v1.user.texts.test.$post());
}
