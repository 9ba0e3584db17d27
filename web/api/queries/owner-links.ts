import { queryOptions } from "@tanstack/react-query";
import { renewalLinkResponse } from "../../../worker/contract/money/renewal-link.ts";
import { receiptLinkResponse } from "../../../worker/contract/money/receipt-link.ts";
import { errorCodeOf } from "../client/request-error.ts";
import { linkApi } from "../client/link-api.ts";
import { parseResponse, requireOk } from "../client/request.ts";

const RETRIES = 3;

/** The renewal that the link in a text turns off. */
export function renewalLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["renewal-link", token],
    queryFn: async () =>
      parseResponse(renewalLinkResponse, await linkApi("Link", token).flex.v1["renewal-link"].$get()),
    retry: (failures, error) => failures < RETRIES && errorCodeOf(error) !== "undo_expired",
    staleTime: 0,
  });
}

/** POST /flex/v1/renewal-link. */
export async function endRenewalByLink(token: string): Promise<void> {
  await requireOk(await linkApi("Link", token).flex.v1["renewal-link"].$post());
}

/** The receipts of an account that was deleted, by the link in its last text. */
export function receiptLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["receipt-link", token],
    queryFn: async () =>
      (await parseResponse(receiptLinkResponse, await linkApi("Link", token).flex.v1["receipt-link"].$get()))
        .receipts,
    retry: (failures, error) => failures < RETRIES && errorCodeOf(error) !== "undo_expired",
    staleTime: 0,
  });
}
