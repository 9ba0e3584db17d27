import type { Stripe } from "@stripe/stripe-js";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, Navigate } from "@tanstack/react-router";
import { CreditCard } from "lucide-react";
import { useEffect, useState } from "react";
import type { PlansResponse } from "../../../worker/contract/money/payments.ts";
import type { SameAgain } from "../../../worker/contract/money/saved-cards.ts";
import { plansQuery } from "../../api/queries/payments.ts";
import { savedCardsQuery } from "../../api/queries/saved-cards.ts";
import { spotQuery } from "../../api/queries/spots.ts";
import { useConfig } from "../../api/queries/use-config.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { FormError, type FormMessage } from "../../ui/notices.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { useNow } from "../../ui/use-now.ts";
import { formatExactMoney, formatMoney, formatUntil } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";
import { hasSpotToPayFor } from "../spots/labels.ts";
import { Checkout } from "./checkout.tsx";
import { closedCardsOf } from "./closed-cards.ts";
import { loadStripeOnce } from "./stripe.ts";
import { formatPlan, formatCard } from "../payments/payment-labels.ts";
import { PriceLines, TotalLine } from "../payments/price-lines.tsx";
import { PurchaseTerms } from "./purchase-terms.tsx";
import { usePaymentForm } from "./use-payment-form.ts";

/**
 * The last plan with the saved card, at one tap; the ordinary screen where there is none, the card is refused, or nothing
 * can be paid because the driver waits for a spot.
 */
export function SameAgainPurchase() {
  const plans = useSuspenseQuery(plansQuery).data;
  const saved = useQuery(savedCardsQuery);
  const mayPay = hasSpotToPayFor(useSuspenseQuery(spotQuery).data);
  const publishableKey = useConfig().stripePublishableKey;
  const [failure, setFailure] = useState<FormMessage | null>(null);
  const closed = closedCardsOf(plans, { publishableKey, now: useNow(MINUTE_MS) });
  const sameAgain = saved.data?.sameAgain ?? null;
  if (saved.isPending) return <Skeleton className="h-96" />;
  // The first is for the type: without a key, cards are closed.
  if (publishableKey === null || closed || !sameAgain || !mayPay || plans.inProgress?.status === "processing")
    return <Navigate to="/flex/payments" search={{ plan: sameAgain?.quote.plan }} replace />;
  const { plan } = sameAgain.quote;
  if (failure) {
    return (
      <>
        <FormError {...failure} />
        <Checkout plan={plan} plansResponse={plans} />
      </>
    );
  }
  return (
    <SameAgainCard
      sameAgain={sameAgain}
      plans={plans}
      publishableKey={publishableKey}
      onFailure={setFailure}
    />
  );
}

function SameAgainCard({
  sameAgain: { quote, card, formerTotalCents },
  plans,
  publishableKey,
  onFailure,
}: {
  sameAgain: SameAgain;
  plans: PlansResponse;
  publishableKey: string;
  onFailure: (failure: FormMessage) => void;
}) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  const [stripe, setStripe] = useState<Stripe | null>(null);
  useEffect(() => {
    const fail = () => onFailure({ title: m.pay_card_failed(), hint: m.pay_card_failed_text() });
    loadStripeOnce(publishableKey).then((loaded) => (loaded ? setStripe(loaded) : fail()), fail);
  }, [publishableKey, onFailure]);
  const { form } = usePaymentForm({
    quote,
    lastPaymentId: plans.lastPaymentId,
    card: stripe && { stripe, savedCardId: card.id },
    onUnpaid: onFailure,
  });
  const isHeld = !useOnline() || !stripe;
  const { currency, totalCents } = quote;
  return (
    <form.AppForm>
      <form.Body isHeld={isHeld} className="card mx-auto grid w-full max-w-lg gap-4 p-4 sm:p-5">
        <h2 className="text-xl">{m.again_title()}</h2>
        <p className="figures">
          <span className="font-semibold">{formatPlan(quote.plan)}</span>{" "}
          <span className="text-soft">
            {m.service_until({ until: formatUntil(quote.serviceUntil, { timeZone, now }) })}
          </span>
        </p>
        {formerTotalCents !== null && (
          <output className="block rounded-field border border-warn p-3 text-sm">
            {m.again_price_changed({ money: formatMoney(formerTotalCents, currency) })}
          </output>
        )}
        <div>
          <PriceLines price={quote}>
            <TotalLine>
              <span data-testid="total">{formatExactMoney(totalCents, currency)}</span>
            </TotalLine>
          </PriceLines>
        </div>
        <p className="figures flex items-center gap-3 rounded-field bg-sunken px-4 py-3">
          <CreditCard aria-hidden className="size-5 shrink-0" />
          {formatCard(card)}
        </p>
        <form.SubmitError />
        <form.SubmitButton isHeld={isHeld} pendingLabel={m.pay_paying()} className="w-full">
          {m.pay_button({ money: formatExactMoney(totalCents, currency) })}
        </form.SubmitButton>
        <Link to="/flex/payments" search={{ plan: quote.plan }} className={buttonClass("quiet")}>
          {m.again_other()}
        </Link>
        <div className="text-sm text-soft">
          <PurchaseTerms quote={quote} renews={false} />
        </div>
      </form.Body>
    </form.AppForm>
  );
}
