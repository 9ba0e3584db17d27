import { createFileRoute, Outlet, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { DEFAULT_PLAN, planForSale, type PlanForSale } from "../../../../db/shapes/plans.ts";
import { paymentHistoryQuery } from "../../../api/payments.ts";
import { PaymentsPending } from "../../../features/payments/payments-skeleton.tsx";
import { PaymentsScreen } from "../../../features/payments/payments-screen.tsx";

const redirectStatus = z.enum(["succeeded", "requires_action"]);
const paymentId = z.string().check(z.regex(/^[\w-]{1,64}$/));

type Search = {
  plan?: PlanForSale;
  redirect_status?: z.infer<typeof redirectStatus>;
  /** The payment that the driver comes back from. */
  payment?: string;
  /** The last plan with the saved card: what the text about the end of service links to. */
  again?: 1;
};

export const Route = createFileRoute("/flex/payments")({
  validateSearch: (given: Search & SearchSchemaInput) => {
    const status = z.safeParse(redirectStatus, given.redirect_status).data;
    const payment = z.safeParse(paymentId, given.payment).data;
    return {
      plan: z.safeParse(planForSale, given.plan).data ?? DEFAULT_PLAN,
      ...(status ? { redirect_status: status } : {}),
      ...(payment ? { payment } : {}),
      ...(given.again === 1 ? { again: given.again } : {}),
    };
  },
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchInfiniteQuery(paymentHistoryQuery);
  },
  pendingComponent: PaymentsPending,
  component: Payments,
});

function Payments() {
  return (
    <PaymentsScreen>
      <Outlet />
    </PaymentsScreen>
  );
}
