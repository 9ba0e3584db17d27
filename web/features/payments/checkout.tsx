import { useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { CreditCard } from "lucide-react";
import { lazy, Suspense, useEffect, useState } from "react";
import type { PlansResponse, Quote } from "../../../worker/contract/payments.ts";
import type { PlanForSale } from "../../../db/shapes/plans.ts";
import { quoteQuery } from "../../api/payments.ts";
import { useConfig } from "../../api/use-config.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useNow } from "../../ui/use-now.ts";
import { FormError } from "../../ui/form-error.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { formatUntil } from "../language/format.ts";
import { errorMessage } from "../language/error-messages.ts";
import { PriceReceipt } from "./price-receipt.tsx";
import { PointsSlider, pointsStore } from "./points-slider.tsx";
import { useUser } from "../session/use-user.ts";

// Both need the form library, and the card Stripe's loader too: the plans and the receipt don't wait for them.
const CardForm = lazy(async () => ({ default: (await import("./card-form.tsx")).CardForm }));
const PointsForm = lazy(async () => ({ default: (await import("./points-form.tsx")).PointsForm }));

const QUOTE_DELAY_MS = 150;

/** The points to use, the price, until when service will run, and the payment method. */
export function Checkout({ plan, plansResponse }: { plan: PlanForSale; plansResponse: PlansResponse }) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
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
  } = useQuery(quoteQuery({ plan, points: debouncedPoints }));
  const isStale = isPlaceholderData || debouncedPoints !== points;
  return (
    <section aria-labelledby="pay-receipt" className="card grid gap-5 p-5 lg:grid-cols-2 lg:gap-8">
      <div className="grid content-start gap-4">
        <h2 id="pay-receipt" className="text-lg">
          {m.pay_receipt()}
        </h2>
        <PointsSlider
          balance={plansResponse.points}
          max={maxPoints}
          chosen={points}
          onChange={(chosen) => pointsStore.setState(() => chosen)}
        />
        {error && !quote && (
          <>
            <FormError title={m.pay_prepare_failed()} hint={errorMessage(error)} />
            <Button onClick={() => void refetch()}>{m.try_again()}</Button>
          </>
        )}
        {!quote && !error && <Skeleton className="h-36" />}
        {quote && (
          <>
            <PriceReceipt price={quote} isStale={isStale} />
            <p className="rounded-field bg-sunken px-4 py-3 font-semibold" aria-live="polite">
              {m.pay_service_until({ until: formatUntil(quote.serviceUntil, { timeZone, now }) })}
            </p>
            {quote.entersRaffle && <p className="text-sm text-soft">{m.pay_enters_raffle()}</p>}
          </>
        )}
      </div>
      <div className="grid content-start gap-4">
        <h2 className="text-lg">{m.pay_with()}</h2>
        {quote ? (
          <PaymentMethod quote={quote} isStale={isStale} plansResponse={plansResponse} />
        ) : (
          <Skeleton className="h-56" />
        )}
      </div>
    </section>
  );
}

function PaymentMethod({
  quote,
  isStale,
  plansResponse,
}: {
  quote: Quote;
  isStale: boolean;
  plansResponse: PlansResponse;
}) {
  const { cardsReady, lastPaymentId, paymentMethods } = plansResponse;
  const publishableKey = useConfig().stripePublishableKey;
  if (quote.totalCents === 0) {
    return (
      <Suspense fallback={<Skeleton className="h-28" />}>
        <PointsForm quote={quote} isStale={isStale} lastPaymentId={lastPaymentId} />
      </Suspense>
    );
  }
  if (!cardsReady || publishableKey === null) {
    return (
      <StatusPanel Icon={CreditCard} title={m.pay_cards_unready()}>
        {m.pay_cards_unready_text()}
      </StatusPanel>
    );
  }
  return (
    <Suspense fallback={<Skeleton className="h-56" />}>
      <CardForm
        quote={quote}
        isStale={isStale}
        lastPaymentId={lastPaymentId}
        publishableKey={publishableKey}
        paymentMethods={paymentMethods}
      />
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
