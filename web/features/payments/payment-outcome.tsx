import { useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { BadgeCheck, CircleX, Clock, Undo2, type LucideIcon } from "lucide-react";
import { useEffect } from "react";
import type { Payment, PaymentResponse } from "../../../worker/contract/money/payments.ts";
import type { PlanForSale, ShownPaymentStatus } from "../../../db/shapes/money/plans.ts";
import {
  paymentHistoryQuery,
  isPaymentPending,
  paymentQuery,
  plansQuery,
} from "../../api/queries/payments.ts";
import { rewardsQuery } from "../../api/queries/rewards.ts";
import { renewalQuery, savedCardsQuery } from "../../api/queries/saved-cards.ts";
import { pauseQuery } from "../../api/queries/service-time.ts";
import { userQuery } from "../../api/queries/user.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { useNow } from "../../ui/use-now.ts";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { formatCount, formatMoney, formatUntil } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";
import { describeMoneyBack, formatPlan } from "./payment-labels.ts";
import { PaymentUnderWay } from "./payment-under-way.tsx";
import { pointsStore } from "./points-slider.tsx";
import { PaymentRenewalLine } from "./renewal-terms.tsx";
import { ReceiptLink } from "./price-lines.tsx";
import { toast } from "../../ui/toast.ts";
import { useSystemSwitch } from "../live/use-system-switch.ts";
import { errorMessage } from "../language/error-messages.ts";

/**
 * The outcome of a payment. The URL only says which one, null where a bank's page left that out: its status comes from
 * the server, which asks Stripe.
 */
export function PaymentOutcome({ plan, payment }: { plan: PlanForSale; payment: string | null }) {
  return payment === null ? <UnknownPayment plan={plan} /> : <KnownPayment plan={plan} payment={payment} />;
}

function KnownPayment({ plan, payment }: { plan: PlanForSale; payment: string }) {
  const { data, refetch } = useSuspenseQuery(paymentQuery(payment));
  useInvalidateWhenDecided(data.payment.status);
  return <PaymentResult plan={plan} response={data} onRefresh={() => void refetch()} />;
}

function PaymentResult({
  plan,
  response,
  onRefresh,
}: {
  plan: PlanForSale;
  response: PaymentResponse;
  onRefresh: () => void;
}) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  const { payment, serviceUntil, renewal } = response;
  switch (payment.status) {
    case "settled":
    case "disputed":
    case "partly_refunded":
      return (
        <Panel
          Icon={BadgeCheck}
          title={m.pay_paid_title()}
          text={
            <>
              <span className="figures block font-semibold text-ink">{paidFor(payment)}</span>
              <span className="block">
                {serviceUntil === null
                  ? m.pay_paid_text()
                  : m.pay_service_until({ until: formatUntil(serviceUntil, { timeZone, now }) })}
              </span>
              <PaymentRenewalLine renewal={renewal} />
              {describeMoneyBack(payment).map((sentence) => (
                <span key={sentence} className="figures block">
                  {sentence}
                </span>
              ))}
            </>
          }
          actions={
            <>
              <NextAfterPaying />
              <ReceiptLink payment={payment} />
              <BuyAgainLink plan={plan} label={m.pay_more_time()} />
            </>
          }
        />
      );
    case "processing":
      return (
        <section aria-live="polite" className="card" data-testid="payment-outcome">
          {payment.inProgress && <PaymentUnderWay inProgress={payment.inProgress} onRefresh={onRefresh} />}
        </section>
      );
    case "open":
      return (
        <Panel
          Icon={CircleX}
          role="alert"
          title={m.pay_open_title()}
          text={m.pay_open_text()}
          actions={
            <>
              <BuyAgainLink plan={plan} label={m.try_again()} variant="primary" />
              <Button variant="quiet" onClick={onRefresh}>
                {m.pay_look_again()}
              </Button>
            </>
          }
        />
      );
    case "abandoned":
      return (
        <Panel
          Icon={CircleX}
          role="alert"
          title={m.pay_abandoned_title()}
          text={m.pay_not_charged()}
          actions={<BuyAgainLink plan={plan} label={m.try_again()} variant="primary" />}
        />
      );
    case "other":
      return <UnknownPayment plan={plan} />;
    case "refunded":
    case "dispute_lost":
      return (
        <Panel
          Icon={Undo2}
          title={payment.status === "refunded" ? m.pay_refunded_title() : m.pay_status_dispute_lost()}
          text={describeMoneyBack(payment).join(" ")}
          actions={<BuyAgainLink plan={plan} label={m.pay_more_time()} />}
        />
      );
  }
}

/** `$90.62 for 14 days of service`. */
function paidFor({ plan, points, totalCents, currency }: Payment): string {
  if (plan === "other") return formatMoney(totalCents, currency);
  return totalCents === 0
    ? m.pay_paid_points({ points: formatCount(points), plan: formatPlan(plan) })
    : m.pay_paid_amount({ money: formatMoney(totalCents, currency), plan: formatPlan(plan) });
}

/** Back from the bank without a payment id: the history below shows the outcome. */
function UnknownPayment({ plan }: { plan: PlanForSale }) {
  const queryClient = useQueryClient();
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: paymentHistoryQuery.queryKey });
  }, [queryClient]);
  return (
    <Panel
      Icon={Clock}
      title={m.pay_unknown_title()}
      text={m.pay_unknown_text()}
      actions={<BuyAgainLink plan={plan} label={m.pay_more_time()} />}
    />
  );
}

function Panel({
  Icon,
  title,
  text,
  actions,
  role = "status",
}: {
  Icon: LucideIcon;
  title: string;
  text: React.ReactNode;
  actions: React.ReactNode;
  role?: "alert" | "status";
}) {
  return (
    <section className="card" data-testid="payment-outcome">
      <StatusPanel Icon={Icon} role={role} title={title} actions={actions}>
        {text}
      </StatusPanel>
    </section>
  );
}

function BuyAgainLink({
  plan,
  label,
  variant = "quiet",
}: {
  plan: PlanForSale;
  label: string;
  variant?: "quiet" | "primary";
}) {
  return (
    <Link to="/flex/payments" search={{ plan }} className={buttonClass(variant)}>
      {label}
    </Link>
  );
}

const CHANGED_BY_PAYING = [
  userQuery,
  paymentHistoryQuery,
  pauseQuery,
  renewalQuery,
  rewardsQuery,
  savedCardsQuery,
];

/** A decided payment changes service time, its pause, points, renewal, cards and history. */
function useInvalidateWhenDecided(status: ShownPaymentStatus | undefined): void {
  const queryClient = useQueryClient();
  const isDecided = !isPaymentPending(status);
  useEffect(() => {
    if (!isDecided) return;
    pointsStore.setState(() => 0);
    for (const { queryKey } of CHANGED_BY_PAYING) void queryClient.invalidateQueries({ queryKey });
    // Removed, not only invalidated: buying again must not start from plans that name an older payment as the latest.
    for (const queryKey of [plansQuery.queryKey, ["quote"]]) queryClient.removeQueries({ queryKey });
  }, [isDecided, queryClient]);
}

/** The step after a payment: turning it on, if only that is left to do, or else the dashboard. */
function NextAfterPaying() {
  const { phoneNumber, setupComplete, userDisabled } = useUser();
  const navigate = useNavigate();
  const { mutate, isPending } = useSystemSwitch(phoneNumber);
  if (!setupComplete || userDisabled === 0) {
    return (
      <Link to="/flex/dashboard" className={buttonClass("primary")}>
        {m.pay_to_dashboard()}
      </Link>
    );
  }
  const turnOn = () => {
    if (isPending) return;
    mutate(true, {
      onSuccess: () => void navigate({ to: "/flex/dashboard" }),
      onError: (error) => toast.error(errorMessage(error)),
    });
  };
  return (
    <Button variant="primary" aria-busy={isPending} onClick={turnOn}>
      {isPending ? m.switch_turning_on() : m.pay_turn_on()}
    </Button>
  );
}
