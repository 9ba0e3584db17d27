import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import type { PlanForSale } from "../../../db/shapes/plans.ts";
import { plansQuery } from "../../api/payments.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ServiceTime } from "./service-time.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { Checkout } from "./checkout.tsx";
import { PaymentHistory } from "./payment-history.tsx";
import { PaymentOutcome, type PaymentReturn } from "./payment-outcome.tsx";
import { PlanSelector } from "./plan-selector.tsx";
import { useTimeZone } from "./use-time-zone.ts";

/** Days of service: what they cost, paying for them, and what was paid. */
export function PaymentsScreen({ plan, returned }: { plan: PlanForSale; returned: PaymentReturn | null }) {
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 className="text-2xl">{m.pay_title()}</h1>
      {returned ? <PaymentOutcome plan={plan} returned={returned} /> : <PlanPurchase plan={plan} />}
      <PaymentHistory />
    </div>
  );
}

function PlanPurchase({ plan }: { plan: PlanForSale }) {
  const plans = useQuery(plansQuery);
  const timeZone = useTimeZone();
  if (plans.isPending) return <PlanPurchaseSkeleton />;
  if (plans.isError && !plans.data) {
    return (
      <div className="card">
        <StatusPanel
          Icon={WifiOff}
          role="alert"
          title={m.pay_plans_failed()}
          actions={
            <Button variant="primary" onClick={() => void plans.refetch()}>
              {m.try_again()}
            </Button>
          }
        >
          {errorMessage(plans.error)}
        </StatusPanel>
      </div>
    );
  }
  return (
    <>
      <RedirectIfPaidElsewhere plan={plan} lastPaymentId={plans.data.lastPaymentId} />
      <ServiceTime until={plans.data.serviceUntil} timeZone={timeZone} />
      <PlanSelector chosen={plan} plansResponse={plans.data} timeZone={timeZone} />
      <Checkout plan={plan} plansResponse={plans.data} />
    </>
  );
}

/** Another tab or device paid while this one stood open: that is shown before anything is paid again. */
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

function PlanPurchaseSkeleton() {
  return (
    <output className="grid gap-5">
      <span className="sr-only">{m.loading()}</span>
      <Skeleton className="h-5 w-56" />
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {["a", "b", "c", "d"].map((card) => (
          <Skeleton key={card} className="h-28" />
        ))}
      </div>
      <Skeleton className="h-80" />
    </output>
  );
}
