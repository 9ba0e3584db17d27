import { useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { Clock, CreditCard } from "lucide-react";
import { lazy, Suspense, useEffect, useState, useId } from "react";
import type { PlansResponse, Quote } from "../../../worker/contract/money/payments.ts";
import type { PlanForSale } from "../../../db/shapes/money/plans.ts";
import { quoteQuery } from "../../api/queries/payments.ts";
import { useConfig } from "../../api/queries/use-config.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { FormError } from "../../ui/notices.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { formatTime, formatMoney } from "../language/format.ts";
import { errorMessage } from "../language/error-messages.ts";
import { closedCardsOf, type ClosedCards } from "./closed-cards.ts";
import { CHECKOUT_CLASS, METHOD_CLASS, PayBar } from "./checkout-layout.tsx";
import { OrderSummary } from "./order-summary.tsx";
import { PlanSelector } from "./plan-selector.tsx";
import { pointsStore } from "../payments/points-slider.tsx";
import { useRenewal } from "../payments/renewal-status.tsx";
import { useUser } from "../session/use-user.ts";

// Both need the form library, and the card Stripe's loader too: the plans and the total don't wait for them.
const CardForm = lazy(async () => ({ default: (await import("./card-form.tsx")).CardForm }));
const PointsForm = lazy(async () => ({ default: (await import("./points-form.tsx")).PointsForm }));

const QUOTE_DELAY_MS = 150;

/** The plans, the price, the payment method, and the bar with the total and the button that pays. */
export function Checkout({ plan, plansResponse }: { plan: PlanForSale; plansResponse: PlansResponse }) {
  const { humanTimezone: timeZone } = useUser();
  const requestedPoints = useSelector(pointsStore);
  const maxPoints = Math.min(plansResponse.points, pointsCostOf(plan, plansResponse));
  const points = Math.min(requestedPoints, maxPoints);
  const debouncedPoints = useDebouncedValue(points);
  // Without suspense, so that the former price stays while the slider moves on.
  const {
    data: quote,
    error,
    isPlaceholderData,
    refetch,
  } = useQuery(
    quoteQuery(
      { plan, points: debouncedPoints },
      { payCents: payCentsOf(plan, plansResponse), serviceUntil: plansResponse.serviceUntil },
    ),
  );
  const [choosesRenewal, setChoosesRenewal] = useState(false);
  const isRenewalOn = useRenewal()?.status === "on";
  const publishableKey = useConfig().stripePublishableKey;
  const closedCards = closedCardsOf(plansResponse, { publishableKey, now: useNow(MINUTE_MS) });
  const selector = <PlanSelector chosen={plan} plansResponse={plansResponse} timeZone={timeZone} />;
  if (!quote) {
    return (
      <div className="grid gap-3">
        {selector}
        {error ? (
          <>
            <FormError title={m.pay_prepare_failed()} hint={errorMessage(error)} />
            <Button onClick={() => void refetch()}>{m.try_again()}</Button>
          </>
        ) : (
          <Skeleton className="h-80" />
        )}
      </div>
    );
  }
  // A card that is charged now is the one that renews. A renewal that is on stays as it is, whatever is bought by hand.
  const mayChoose = closedCards === null && quote.totalCents > 0 && !isRenewalOn;
  const renews = mayChoose && choosesRenewal;
  const closed = quote.totalCents > 0 ? closedCards : null;
  const isStale = isPlaceholderData || debouncedPoints !== points;
  return (
    // Plans and choices stay mounted, and keep the focus, whatever becomes of the method below them.
    <div className={CHECKOUT_CLASS}>
      {selector}
      {/* Said before the sum, which nobody can pay. */}
      {closed !== null && <ClosedMethod closed={closed} />}
      <OrderSummary {...{ quote, isStale, plansResponse, points, maxPoints }}>
        {mayChoose && <RenewalChoice quote={quote} renews={renews} onChange={setChoosesRenewal} />}
      </OrderSummary>
      {closed === null && <PaymentMethod {...{ quote, isStale, plansResponse, renews, publishableKey }} />}
    </div>
  );
}

function payCentsOf(plan: PlanForSale, { plans }: PlansResponse): number | null {
  return plans.find((priced) => priced.plan === plan)?.payCents ?? null;
}

function ClosedMethod({ closed: { pausedUntil } }: { closed: ClosedCards }) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  return (
    <div className={METHOD_CLASS}>
      {pausedUntil === null ? (
        <StatusPanel Icon={CreditCard} title={m.pay_cards_unready()}>
          {m.pay_cards_unready_text()}
        </StatusPanel>
      ) : (
        <StatusPanel Icon={Clock} title={m.pay_paused({ time: formatTime(pausedUntil, { timeZone, now }) })}>
          {m.pay_paused_text()}
        </StatusPanel>
      )}
    </div>
  );
}

/** The method and the pay bar. */
function PaymentMethod({
  quote,
  isStale,
  plansResponse: { lastPaymentId, paymentMethods },
  renews,
  publishableKey,
}: {
  quote: Quote;
  isStale: boolean;
  plansResponse: PlansResponse;
  renews: boolean;
  publishableKey: string | null;
}) {
  const loading = (
    <>
      <div className={METHOD_CLASS}>
        <Skeleton className="h-99 sm:h-97" />
      </div>
      <PayBar quote={quote} isStale={isStale} renews={renews} isFilled={false}>
        <Skeleton className="h-11" />
      </PayBar>
    </>
  );
  if (quote.totalCents === 0 || publishableKey === null) {
    return (
      <Suspense fallback={loading}>
        <PointsForm {...{ quote, isStale, lastPaymentId }} />
      </Suspense>
    );
  }
  return (
    <Suspense fallback={loading}>
      <CardForm {...{ quote, isStale, lastPaymentId, publishableKey, paymentMethods, renews, loading }} />
    </Suspense>
  );
}

/** The value once it has stopped changing: what a slider passes over is not fetched. */
function useDebouncedValue<Value>(value: Value): Value {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), QUOTE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}

function pointsCostOf(plan: PlanForSale, { plans }: PlansResponse): number {
  return plans.find((priced) => priced.plan === plan)?.pointsCost ?? 0;
}

/** Asks whether to renew. Never ticked unless the driver does; then it says what they agree to, with the cap. */
function RenewalChoice({
  quote,
  renews,
  onChange,
}: {
  quote: Quote;
  renews: boolean;
  onChange: (renews: boolean) => void;
}) {
  const textId = useId();
  const money = formatMoney(quote.renewalCapCents, quote.currency);
  return (
    <div className="border-t border-line pt-2">
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          name="renews"
          checked={renews}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={textId}
          className="size-5.5 shrink-0 accent-(--ink)"
        />
        <span>{m.renew_choose()}</span>
      </label>
      <p id={textId} aria-live="polite" className="text-sm text-soft">
        {renews && m.renew_agree({ money })}
      </p>
    </div>
  );
}
