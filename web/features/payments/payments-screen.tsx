import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import type { PlanForSale } from "../../../worker/contract/payments.ts";
import { plansQuery } from "../../api/payments.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ServiceTime } from "../dashboard/service-time.tsx";
import { sayProblem } from "../language/problem-words.ts";
import { Checkout } from "./checkout.tsx";
import { History } from "./history.tsx";
import { Outcome, type Returned } from "./outcome.tsx";
import { PlanSelector } from "./plan-selector.tsx";
import { useTimeZone } from "./use-time-zone.ts";

/** Days of service: what they cost, paying for them, and what was paid. */
export function PaymentsScreen({ plan, returned }: { plan: PlanForSale; returned: Returned | null }) {
  return (
    <div className="grid grid-cols-1 gap-5">
      <h1 className="text-2xl">{m.pay_title()}</h1>
      {returned ? <Outcome plan={plan} returned={returned} /> : <Buying plan={plan} />}
      <History />
    </div>
  );
}

function Buying({ plan }: { plan: PlanForSale }) {
  const plans = useQuery(plansQuery);
  const timeZone = useTimeZone();
  if (plans.isPending) return <BuyingSkeleton />;
  if (plans.isError && !plans.data) {
    return (
      <div className="card">
        <Notice
          Icon={WifiOff}
          role="alert"
          title={m.pay_plans_failed()}
          actions={
            <Button look="primary" onClick={() => void plans.refetch()}>
              {m.try_again()}
            </Button>
          }
        >
          {sayProblem(plans.error)}
        </Notice>
      </div>
    );
  }
  return (
    <>
      <PaidElsewhere plan={plan} lastPaymentId={plans.data.lastPaymentId} />
      <ServiceTime until={plans.data.serviceUntil} timeZone={timeZone} />
      <PlanSelector chosen={plan} answer={plans.data} timeZone={timeZone} />
      <Checkout plan={plan} answer={plans.data} />
    </>
  );
}

/** Another tab or device paid while this one stood open: that is shown before anything is paid again. */
function PaidElsewhere({ plan, lastPaymentId }: { plan: PlanForSale; lastPaymentId: string | null }) {
  const navigate = useNavigate({ from: "/flex/payments" });
  const [known] = useState(lastPaymentId);
  useEffect(() => {
    if (lastPaymentId === known || lastPaymentId === null) return;
    const search = { plan, payment: lastPaymentId, redirect_status: "succeeded" as const };
    void navigate({ search, replace: true });
  }, [known, lastPaymentId, navigate, plan]);
  return null;
}

function BuyingSkeleton() {
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
