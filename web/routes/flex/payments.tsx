import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { DEFAULT_PLAN, planForSale, type PlanForSale } from "../../../db/shapes/plans.ts";
import { paymentHistoryQuery, plansQuery } from "../../api/payments.ts";
import { sessionStore } from "../../api/session.ts";
import { PaymentsScreen } from "../../features/payments/payments-screen.tsx";

const redirectStatus = z.enum(["succeeded", "requires_action"]);
const paymentId = z.string().check(z.regex(/^[\w-]{1,64}$/));

type Search = {
  plan?: PlanForSale;
  redirect_status?: z.infer<typeof redirectStatus>;
  /** Which payment the driver comes back from. */
  payment?: string;
};

export const Route = createFileRoute("/flex/payments")({
  validateSearch: (given: Search & SearchSchemaInput) => {
    const status = z.safeParse(redirectStatus, given.redirect_status).data;
    const payment = z.safeParse(paymentId, given.payment).data;
    return {
      plan: z.safeParse(planForSale, given.plan).data ?? DEFAULT_PLAN,
      ...(status ? { redirect_status: status } : {}),
      ...(payment ? { payment } : {}),
    };
  },
  loader: ({ context: { queryClient } }) => {
    if (!sessionStore.get()) return;
    void queryClient.prefetchQuery(plansQuery);
    void queryClient.prefetchInfiniteQuery(paymentHistoryQuery);
  },
  component: Payments,
});

function Payments() {
  const { plan, payment, redirect_status: status } = Route.useSearch();
  const returned =
    status || payment ? { payment: payment ?? null, redirectStatus: status ?? "requires_action" } : null;
  return <PaymentsScreen plan={plan} returned={returned} />;
}
