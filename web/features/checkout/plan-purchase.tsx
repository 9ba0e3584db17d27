import { useSuspenseQuery } from "@tanstack/react-query";
import { Navigate, useNavigate } from "@tanstack/react-router";
import { Gift } from "lucide-react";
import { useEffect, useState } from "react";
import type { PlanForSale } from "../../../db/shapes/money/plans.ts";
import { livePlansQuery } from "../../api/queries/payments.ts";
import { spotQuery } from "../../api/queries/spots.ts";
import { SETTLED_CLASS } from "../../ui/skeleton.tsx";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/notices.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { hasSpotToPayFor } from "../spots/labels.ts";
import { SpotCard } from "../spots/spot-card.tsx";
import { Checkout } from "./checkout.tsx";
import { OwnServiceTime } from "../payments/own-service-time.tsx";
import { RenewalState, useRenewal } from "../payments/renewal-status.tsx";
import { SavedCards } from "../payments/saved-cards.tsx";

/** Choosing a plan and paying for it. `isTrialNamed`: the address asks for the plan that isn't sold. */
export function PlanPurchase({ plan, isTrialNamed }: { plan: PlanForSale; isTrialNamed: boolean }) {
  const query = useSuspenseQuery(livePlansQuery);
  const plans = query.data;
  const spot = useSuspenseQuery(spotQuery).data;
  const renewal = useRenewal();
  const { inProgress } = plans;
  if (inProgress?.status === "processing") {
    // Until the bank has decided nothing else can be paid, so that nothing is charged twice.
    const search = { plan, payment: inProgress.id, redirect_status: "requires_action" as const };
    return <Navigate to="/flex/payments" search={search} replace />;
  }
  return (
    <>
      <StaleNotice query={query} />
      {isTrialNamed && <Banner Icon={Gift}>{m.pay_trial_named()}</Banner>}
      <RedirectIfPaidElsewhere plan={plan} lastPaymentId={plans.lastPaymentId} />
      <OwnServiceTime until={plans.serviceUntil} />
      {renewal && (
        <section aria-label={m.renew_title()} className="card p-4 sm:p-5">
          <RenewalState renewal={renewal} />
        </section>
      )}
      <div className="peer">
        {hasSpotToPayFor(spot) ? (
          <Checkout plan={plan} plansResponse={plans} />
        ) : (
          <SpotCard response={spot} />
        )}
      </div>
      <div className={`empty:hidden ${SETTLED_CLASS}`}>
        <SavedCards />
      </div>
    </>
  );
}

/** If another tab or device paid while this one was open, shows that payment before anything is paid twice. */
function RedirectIfPaidElsewhere({
  plan,
  lastPaymentId,
}: {
  plan: PlanForSale;
  lastPaymentId: string | null;
}) {
  const navigate = useNavigate({ from: "/flex/payments" });
  const [known] = useState(lastPaymentId);
  useEffect(() => {
    if (lastPaymentId === known || lastPaymentId === null) return;
    const search = { plan, payment: lastPaymentId, redirect_status: "succeeded" as const };
    void navigate({ search, replace: true });
  }, [known, lastPaymentId, navigate, plan]);
  return null;
}
