import { createFileRoute, Outlet, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { DEFAULT_PLAN, plan } from "../../../../db/shapes/money/plans.ts";
import { paymentId } from "../../../../worker/contract/money/payment-id.ts";
import { paymentHistoryQuery } from "../../../api/queries/payments.ts";
import { searchParam, searchParamOr } from "../../../features/navigation/search-param.ts";
import { PaymentsPending } from "../../../features/payments/states.tsx";
import { PaymentsScreen } from "../../../features/payments/payments-screen.tsx";

const search = z.object({
  /** Any plan, the trial too, which is not sold. */
  plan: searchParamOr(plan, DEFAULT_PLAN),
  redirect_status: searchParam(z.enum(["succeeded", "requires_action"])),
  /** The payment that the driver comes back from. */
  payment: searchParam(paymentId),
  /** The last plan with the saved card: what the text about the end of service links to. */
  again: searchParam(z.literal(1)),
});

export const Route = createFileRoute("/flex/payments")({
  validateSearch: (given: Partial<z.output<typeof search>> & SearchSchemaInput) => z.parse(search, given),
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
