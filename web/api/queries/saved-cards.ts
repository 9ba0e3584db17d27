import { queryOptions } from "@tanstack/react-query";
import {
  customerSessionResponse,
  renewalResponse,
  savedCardsResponse,
  type Renewal,
  type RenewalInput,
  type RenewalNotice,
} from "../../../worker/contract/money/saved-cards.ts";
import { api } from "../client/client.ts";
import { parseResponse, requireOk } from "../client/request.ts";

/** The driver's saved cards, and what 'same again' buys. */
export const savedCardsQuery = queryOptions({
  queryKey: ["saved-cards"],
  queryFn: async () => parseResponse(savedCardsResponse, await api.flex.v1.payments.cards.$get()),
  staleTime: 60_000,
});

export const renewalQuery = queryOptions({
  queryKey: ["renewal"],
  queryFn: async () =>
    (await parseResponse(renewalResponse, await api.flex.v1.payments.renewal.$get())).renewal,
  staleTime: 10_000,
});

/** The session in which the card form shows the saved cards. Made for one form, and good for half an hour. */
export const cardSessionQuery = queryOptions({
  queryKey: ["card-session"],
  queryFn: async () => parseResponse(customerSessionResponse, await api.flex.v1.payments.session.$post()),
  // A mounted form keeps its session; the next form gets another.
  staleTime: Infinity,
  gcTime: 0,
  retry: false,
});

/** PUT /flex/v1/payments/renewal. */
export async function saveRenewal(input: RenewalInput): Promise<Renewal | null> {
  const response = await api.flex.v1.payments.renewal.$put({ json: input });
  return (await parseResponse(renewalResponse, response)).renewal;
}

/** POST /flex/v1/payments/renewal/seen. */
export async function confirmNoticeSeen(notice: RenewalNotice): Promise<void> {
  await requireOk(await api.flex.v1.payments.renewal.seen.$post({ json: notice }));
}

/** DELETE /flex/v1/payments/cards/{id}. */
export async function removeSavedCard(id: string): Promise<void> {
  await requireOk(await api.flex.v1.payments.cards[":id"].$delete({ param: { id } }));
}
