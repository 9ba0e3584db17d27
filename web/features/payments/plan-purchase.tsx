import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { PlanForSale } from "../../../db/shapes/plans.ts";
import { plansQuery } from "../../api/payments.ts";
import { useUser } from "../session/use-user.ts";
import { Checkout } from "./checkout.tsx";
import { PlanSelector } from "./plan-selector.tsx";
import { ServiceUntil } from "./service-time.tsx";

/** Choosing a plan and paying for it. */
export function PlanPurchase({ plan }: { plan: PlanForSale }) {
  const plans = useSuspenseQuery(plansQuery).data;
  const { humanTimezone: timeZone } = useUser();
  return (
    <>
      <RedirectIfPaidElsewhere plan={plan} lastPaymentId={plans.lastPaymentId} />
      <ServiceUntil until={plans.serviceUntil} timeZone={timeZone} />
      <PlanSelector chosen={plan} plansResponse={plans} timeZone={timeZone} />
      <Checkout plan={plan} plansResponse={plans} />
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
