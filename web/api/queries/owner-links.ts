import { queryOptions } from "@tanstack/react-query";
import { undoResponse } from "../../../worker/contract/account/security.ts";
import { renewalLinkResponse } from "../../../worker/contract/money/renewal-link.ts";
import { receiptLinkResponse } from "../../../worker/contract/money/receipt-link.ts";
import { fetchConfig } from "../client/client.ts";
import { errorCodeOf } from "../client/request-error.ts";
import { linkApi } from "../client/link-api.ts";
import { parseResponse, requireOk } from "../client/request.ts";
import { undoOnce } from "../client/undo-once.ts";
import { currentToken } from "../session/session.ts";
import { serverNow } from "../../early/server-clock.ts";

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

/** The change that the link in a text undoes. */
export function undoQuery(token: string) {
  return queryOptions({
    queryKey: ["undo", token],
    queryFn: async () => parseResponse(undoResponse, await linkApi("Undo", token).flex.v1.undo.$get()),
    retry: (failures, error) => failures < RETRIES && errorCodeOf(error) !== "undo_expired",
    // Once the change is undone the link is used up, and there is nothing left to request.
    staleTime: Infinity,
  });
}

/**
 * POST /flex/v1/undo. Signs the account out if it was signed in here.
 * @param mayBeDone whether the answer to an earlier try was lost
 */
export async function undoChange(token: string, mayBeDone: boolean): Promise<void> {
  await undoOnce(() => linkApi("Undo", token).flex.v1.undo.$post(), mayBeDone);
  const { identity } = await fetchConfig();
  await currentToken(identity, { now: serverNow(), force: true }).catch(() => null);
}
