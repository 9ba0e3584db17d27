import { createFileRoute, type ErrorComponentProps } from "@tanstack/react-router";
import { DEFAULT_PLAN, isForSale } from "../../../../db/shapes/money/plans.ts";
import { paymentQuery, plansQuery } from "../../../api/queries/payments.ts";
import { spotQuery } from "../../../api/queries/spots.ts";
import { renewalQuery, savedCardsQuery } from "../../../api/queries/saved-cards.ts";
import { PaymentOutcome } from "../../../features/payments/payment-outcome.tsx";
import { OutcomeError, PlansError, PlanPurchasePending } from "../../../features/payments/states.tsx";
import { SameAgainPurchase } from "../../../features/checkout/same-again.tsx";
import { PlanPurchase } from "../../../features/checkout/plan-purchase.tsx";

/** The plans, or the outcome of the payment that the search parameters name. */
export const Route = createFileRoute("/flex/payments/")({
  loaderDeps: ({ search: { payment, redirect_status: status, again } }) => ({ payment, status, again }),
  loader: async ({ context: { queryClient }, deps: { payment, status, again } }) => {
    if (payment) await queryClient.ensureQueryData(paymentQuery(payment));
    else if (!status) {
      void queryClient.prefetchQuery(renewalQuery);
      if (again) void queryClient.prefetchQuery(savedCardsQuery);
      await Promise.all([queryClient.ensureQueryData(plansQuery), queryClient.ensureQueryData(spotQuery)]);
    }
  },
  pendingComponent: PlanPurchasePending,
  errorComponent: PurchaseOrOutcomeError,
  component: PurchaseOrOutcome,
});

function PurchaseOrOutcome() {
  const { plan: named, payment, redirect_status: status, again } = Route.useSearch();
  const plan = isForSale(named) ? named : DEFAULT_PLAN;
  if (!payment && !status && again) return <SameAgainPurchase />;
  if (!payment && !status) return <PlanPurchase plan={plan} isTrialNamed={named === "1day"} />;
  return <PaymentOutcome plan={plan} payment={payment ?? null} />;
}

function PurchaseOrOutcomeError(caught: ErrorComponentProps) {
  const { payment } = Route.useSearch();
  return payment ? <OutcomeError {...caught} /> : <PlansError {...caught} />;
}
