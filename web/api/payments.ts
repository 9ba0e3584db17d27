import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  paymentResponse,
  paymentsResponse,
  plansResponse,
  prepareResponse,
  quote,
  type PrepareResponse,
  type PrepareInput,
  type QuoteInput,
} from "../../worker/contract/payments.ts";
import type { PaymentStatus } from "../../db/shapes/plans.ts";
import { parseResponse, api } from "./client.ts";
import { sendSealed } from "./seal.ts";

/** How often an unsettled payment is looked at. */
const POLL_EVERY_MS = 2_000;
/** So often; then it is left to the webhook, and the driver may look again. */
const MAX_POLLS = 30;

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async () => parseResponse(plansResponse, await api.flex.v1.plans.$get()),
  // Another tab may have paid: whoever comes back to this one must know.
  staleTime: 0,
});

/** The breakdown of a plan with so many points. While another is on its way the last one stands. */
export function quoteQuery(input: QuoteInput) {
  return queryOptions({
    queryKey: ["quote", input.plan, input.points],
    queryFn: async () => parseResponse(quote, await api.flex.v1.payments.quote.$post({ json: input })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** One payment, looked at until it has come to an end. */
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

/** POST /flex/v1/payments/prepare, sealed. Repeating it for the same total prepares nothing twice. */
export async function requestPayment(input: PrepareInput): Promise<PrepareResponse> {
  return parseResponse(prepareResponse, await sendSealed("POST", "/flex/v1/payments/prepare", input));
}

/** Stripe has not said yet how it ends. */
export function isPaymentPending(status: PaymentStatus | undefined): boolean {
  return status === undefined || status === "open" || status === "processing";
}

function initialCursor(): string | null {
  return null;
}
