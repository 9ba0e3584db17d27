import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  cancelResponse,
  paymentResponse,
  paymentsResponse,
  plansResponse,
  prepareResponse,
  quote,
  receipt,
  type PaymentResponse,
  type PrepareResponse,
  type PlansResponse,
  type PrepareInput,
  type QuoteInput,
} from "../../../worker/contract/money/payments.ts";
import type { ShownPaymentStatus } from "../../../db/shapes/money/plans.ts";
import { atOwnPace } from "../client/full-jitter.ts";
import { api } from "../client/client.ts";
import { parseResponse } from "../client/request.ts";
import { browserHeaders } from "../device/browser-id.ts";

/** How often an unsettled payment is polled. */
const POLL_EVERY_MS = 2_000;
/** After this many polls it is left to the webhook, and the driver can refresh. */
const MAX_POLLS = 30;

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async () => parseResponse(plansResponse, await api.flex.v1.plans.$get()),
  // Another tab may have paid, which this one must show.
  staleTime: 0,
});

/** How often an open payment screen asks what plans cost. */
const PRICES_EVERY_MS = 30_000;

/** The same while a driver chooses and pays: a sale or a changed price shows up without a reload. */
export const livePlansQuery = queryOptions({ ...plansQuery, refetchInterval: atOwnPace(PRICES_EVERY_MS) });

/**
 * The price of a plan with that many points. The previous price stays until the next one arrives.
 * @param basis the plan's price and the end of service in the list of plans: if one changes, the page requests a new quote
 */
export function quoteQuery(
  input: QuoteInput,
  basis: { payCents: number | null } & Pick<PlansResponse, "serviceUntil">,
) {
  return queryOptions({
    queryKey: ["quote", input.plan, input.points, basis],
    queryFn: async () => parseResponse(quote, await api.flex.v1.payments.quote.$post({ json: input })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** One payment, polled until it is decided. */
export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: ["payment", id],
    queryFn: async () =>
      parseResponse(paymentResponse, await api.flex.v1.payments[":id"].$get({ param: { id } })),
    refetchInterval: ({ state }) =>
      isPaymentPending(state.data?.payment.status) && state.dataUpdateCount < MAX_POLLS
        ? POLL_EVERY_MS
        : false,
    staleTime: 0,
  });
}

/** A payment's receipt. It changes only when money goes back. */
export function receiptQuery(id: string) {
  return queryOptions({
    queryKey: ["receipt", id],
    queryFn: async () =>
      parseResponse(receipt, await api.flex.v1.payments[":id"].receipt.$get({ param: { id } })),
    staleTime: 0,
  });
}

export const paymentHistoryQuery = infiniteQueryOptions({
  queryKey: ["payments"],
  queryFn: async ({ pageParam }) =>
    parseResponse(
      paymentsResponse,
      await api.flex.v1.payments.$get({ query: pageParam ? { cursor: pageParam } : {} }),
    ),
  initialPageParam: initialCursor(),
  getNextPageParam: ({ cursor }) => cursor,
  staleTime: 10_000,
});

/** POST /flex/v1/payments/prepare. Repeating it for the same total prepares nothing twice. */
export async function requestPayment(input: PrepareInput): Promise<PrepareResponse> {
  const headers = browserHeaders();
  return parseResponse(
    prepareResponse,
    await api.flex.v1.payments.prepare.$post({ json: input }, { headers }),
  );
}

/** POST /flex/v1/payments/{id}/cancel. The response says how the payment ended. */
export async function cancelPayment(id: string): Promise<PaymentResponse> {
  return parseResponse(cancelResponse, await api.flex.v1.payments[":id"].cancel.$post({ param: { id } }));
}

/** Stripe has not decided yet. */
export function isPaymentPending(status: ShownPaymentStatus | undefined): boolean {
  return status === undefined || status === "open" || status === "processing";
}

function initialCursor(): string | null {
  return null;
}
