import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { BadgeCheck, CircleX, Clock, Undo2, WifiOff, type LucideIcon } from "lucide-react";
import { useEffect } from "react";
import type { PaymentAnswer, PaymentStatus, PlanForSale } from "../../../worker/contract/payments.ts";
import { historyQuery, isUndecided, paymentQuery, plansQuery } from "../../api/payments.ts";
import { userQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { sayDateTime } from "../language/format.ts";
import { sayProblem } from "../language/problem-words.ts";
import { pointsStore } from "./points-store.ts";
import { useTimeZone } from "./use-time-zone.ts";

/** What the address says of a payment that was tried; the bank's page leads back here too. */
export type Returned = { payment: string | null; redirectStatus: "succeeded" | "requires_action" };

/** How a payment ended. The address only says which: the server asks Stripe. */
export function Outcome({ plan, returned }: { plan: PlanForSale; returned: Returned }) {
  useCleanAddress(plan, returned);
  if (returned.payment === null) return <Unknown plan={plan} />;
  return <Known plan={plan} payment={returned.payment} />;
}

function Known({ plan, payment }: { plan: PlanForSale; payment: string }) {
  const { data, error, refetch, isFetching } = useQuery(paymentQuery(payment));
  const status = data?.payment.status;
  useFreshService(status);
  if (error && !data) {
    return (
      <Panel
        Icon={WifiOff}
        role="alert"
        title={m.pay_outcome_failed()}
        text={sayProblem(error)}
        actions={
          <Button look="primary" disabled={isFetching} onClick={() => void refetch()}>
            {m.try_again()}
          </Button>
        }
      />
    );
  }
  if (!data) return <Skeleton className="h-56" />;
  return <Ended plan={plan} answer={data} onLook={() => void refetch()} />;
}

function Ended({ plan, answer, onLook }: { plan: PlanForSale; answer: PaymentAnswer; onLook: () => void }) {
  const timeZone = useTimeZone();
  const { payment, serviceUntil } = answer;
  switch (payment.status) {
    case "settled":
    case "disputed":
    case "partly_refunded":
      return (
        <Panel
          Icon={BadgeCheck}
          title={m.pay_paid_title()}
          text={
            serviceUntil === null
              ? m.pay_paid_text()
              : m.pay_service_until({ time: sayDateTime(serviceUntil, timeZone) })
          }
          actions={
            <>
              <Link to="/flex/dashboard" className={buttonClass("primary")}>
                {m.pay_to_dashboard()}
              </Link>
              {payment.receiptUrl && (
                <a
                  href={payment.receiptUrl}
                  target="_blank"
                  rel="noreferrer"
                  className={buttonClass("plain")}
                >
                  {m.pay_receipt_open()}
                </a>
              )}
              <Again plan={plan} words={m.pay_more_time()} />
            </>
          }
        />
      );
    case "processing":
      return (
        <Panel
          Icon={Clock}
          title={m.pay_processing_title()}
          text={m.pay_processing_text()}
          actions={<Button onClick={onLook}>{m.pay_look_again()}</Button>}
        />
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
              <Again plan={plan} words={m.try_again()} look="primary" />
              <Button look="quiet" onClick={onLook}>
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
          actions={<Again plan={plan} words={m.try_again()} look="primary" />}
        />
      );
    case "refunded":
    case "dispute_lost":
      return (
        <Panel
          Icon={Undo2}
          title={m.pay_refunded_title()}
          text={m.pay_refunded_text()}
          actions={<Again plan={plan} words={m.pay_more_time()} />}
        />
      );
  }
}

/** Back from a bank, without the name of a payment: the history knows. */
function Unknown({ plan }: { plan: PlanForSale }) {
  const queryClient = useQueryClient();
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: historyQuery.queryKey });
  }, [queryClient]);
  return (
    <Panel
      Icon={Clock}
      title={m.pay_unknown_title()}
      text={m.pay_unknown_text()}
      actions={<Again plan={plan} words={m.pay_more_time()} />}
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
  text: string;
  actions: React.ReactNode;
  role?: "alert" | "status";
}) {
  return (
    <section className="card" data-testid="payment-outcome">
      <Notice Icon={Icon} role={role} title={title} actions={actions}>
        {text}
      </Notice>
    </section>
  );
}

function Again({
  plan,
  words,
  look = "quiet",
}: {
  plan: PlanForSale;
  words: string;
  look?: "quiet" | "primary";
}) {
  return (
    <Link to="/flex/payments" search={{ plan }} className={buttonClass(look)}>
      {words}
    </Link>
  );
}

/** Stripe adds an intent's secret to the address on the way back; it is no business of the history's. */
function useCleanAddress(plan: PlanForSale, { payment, redirectStatus }: Returned): void {
  const navigate = useNavigate({ from: "/flex/payments" });
  useEffect(() => {
    if (!location.search.includes("payment_intent")) return;
    void navigate({
      search: { plan, redirect_status: redirectStatus, ...(payment ? { payment } : {}) },
      replace: true,
    });
  }, [navigate, plan, payment, redirectStatus]);
}

/** Once it is decided, what the rest of the page knows of service, points and history is old. */
function useFreshService(status: PaymentStatus | undefined): void {
  const queryClient = useQueryClient();
  const isDecided = !isUndecided(status);
  useEffect(() => {
    if (!isDecided) return;
    pointsStore.setState(() => 0);
    for (const { queryKey } of [userQuery, plansQuery, historyQuery]) {
      void queryClient.invalidateQueries({ queryKey });
    }
    queryClient.removeQueries({ queryKey: ["quote"] });
  }, [isDecided, queryClient]);
}
