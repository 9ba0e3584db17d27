import { queryOptions } from "@tanstack/react-query";
import { inviterResponse } from "../../../worker/contract/money/invitations.ts";
import { parseResponse, request } from "../client/request.ts";

/** The driver whose link a referral comes from; null if it is nobody's. */
export function inviterQuery(referral: string) {
  return queryOptions({
    queryKey: ["inviter", referral],
    queryFn: async () => {
      const path = `/status/inviters/${encodeURIComponent(referral)}`;
      const { inviter } = await parseResponse(inviterResponse, await request(path));
      return inviter;
    },
    staleTime: Infinity,
    // The form is complete without it.
    retry: false,
  });
}
