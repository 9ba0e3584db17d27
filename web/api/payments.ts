import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import {
  paymentAnswer,
  paymentsAnswer,
  plansAnswer,
  prepareAnswer,
  quote,
  type PaymentStatus,
  type PrepareAnswer,
  type PrepareInput,
  type QuoteInput,
} from "../../worker/contract/payments.ts";
import { answer, api } from "./client.ts";
import { sendSealed } from "./seal.ts";

/** How often an unsettled payment is looked at. */
const LOOK_EVERY_MS = 2_000;
/** So often; then it is left to the webhook, and the driver may look again. */
const LOOKS = 30;

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async () => answer(plansAnswer, await api.flex.v1.plans.$get()),
  // Another tab may have paid: whoever comes back to this one must know.
  staleTime: 0,
});

/** The breakdown of a plan with so many points. While another is on its way the last one stands. */
export function quoteQuery(asked: QuoteInput) {
  return queryOptions({
    queryKey: ["quote", asked.plan, asked.points],
    queryFn: async () => answer(quote, await api.flex.v1.payments.quote.$post({ json: asked })),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });
}

/** One payment, looked at until it has come to an end. */
export function paymentQuery(id: string) {
  return queryOptions({
    queryKey: ["payment", id],
    queryFn: async () => answer(paymentAnswer, await api.flex.v1.payments[":id"].$get({ param: { id } })),
    refetchInterval: ({ state }) =>
      isUndecided(state.data?.payment.status) && state.dataUpdateCount < LOOKS ? LOOK_EVERY_MS : false,
    staleTime: 0,
  });
}

export const historyQuery = infiniteQueryOptions({
  queryKey: ["payments"],
  queryFn: async ({ pageParam }) =>
    answer(
      paymentsAnswer,
      await api.flex.v1.payments.$get({ query: pageParam ? { cursor: pageParam } : {} }),
    ),
  initialPageParam: firstPage(),
  getNextPageParam: ({ cursor }) => cursor,
  staleTime: 10_000,
});

/** POST /flex/v1/payments/prepare, sealed. Repeating it for the same total prepares nothing twice. */
export async function preparePayment(agreed: PrepareInput): Promise<PrepareAnswer> {
  return answer(prepareAnswer, await sendSealed("POST", "/flex/v1/payments/prepare", agreed));
}

/** Stripe has not said yet how it ends. */
export function isUndecided(status: PaymentStatus | undefined): boolean {
  return status === undefined || status === "open" || status === "processing";
}

function firstPage(): string | null {
  return null;
}
