import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import type { Quote } from "../../../worker/contract/payments.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { formatExactMoney } from "../language/format.ts";
import { useLocale } from "../language/locale.ts";
import { useStripeAppearance } from "./stripe-appearance.ts";
import { usePaymentForm } from "./use-payment-form.ts";

type CardFormProps = {
  quote: Quote;
  isStale: boolean;
  lastPaymentId: string | null;
  publishableKey: string;
  /** Those that the payment's intent takes: another one would fail at the press. */
  paymentMethods: string[];
};

/** Loaded once a page, however often the form mounts. */
let stripePromise: Promise<Stripe | null> | null = null;

function loadStripeOnce(publishableKey: string): Promise<Stripe | null> {
  stripePromise ??= loadStripe(publishableKey).catch((error: unknown) => {
    stripePromise = null;
    throw error;
  });
  return stripePromise;
}

/** The card, typed into Stripe's own frame: its number never reaches our code. */
export function CardForm(props: CardFormProps) {
  const [attempt, setAttempt] = useState(0);
  return <StripeLoader key={attempt} {...props} onRetry={() => setAttempt((count) => count + 1)} />;
}

function StripeLoader({
  quote,
  isStale,
  lastPaymentId,
  publishableKey,
  paymentMethods,
  onRetry,
}: CardFormProps & { onRetry: () => void }) {
  const [stripe, setStripe] = useState<Stripe | "failed" | null>(null);
  const locale = useLocale();
  const appearance = useStripeAppearance();
  useEffect(() => {
    loadStripeOnce(publishableKey).then(
      (loaded) => setStripe(loaded ?? "failed"),
      () => setStripe("failed"),
    );
  }, [publishableKey]);
  if (stripe === "failed") {
    return (
      <StatusPanel
        Icon={WifiOff}
        role="alert"
        title={m.pay_card_failed()}
        actions={<Button onClick={onRetry}>{m.try_again()}</Button>}
      >
        {m.pay_card_failed_text()}
      </StatusPanel>
    );
  }
  if (!stripe) return <Skeleton className="h-56" />;
  const { totalCents, currency } = quote;
  return (
    <Elements
      stripe={stripe}
      options={{
        mode: "payment",
        amount: totalCents,
        currency: currency.toLowerCase(),
        allowedPaymentMethodTypes: paymentMethods,
        locale: STRIPE_LOCALES[locale],
        appearance,
      }}
    >
      <PaymentForm
        quote={quote}
        isStale={isStale}
        lastPaymentId={lastPaymentId}
        onLoadError={() => setStripe("failed")}
      />
    </Elements>
  );
}

const STRIPE_LOCALES = { en: "en", es: "es-419", pt: "pt-BR" } as const;

function PaymentForm({
  quote,
  isStale,
  lastPaymentId,
  onLoadError,
}: Omit<CardFormProps, "publishableKey" | "paymentMethods"> & { onLoadError: () => void }) {
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setReady] = useState(false);
  const card = stripe && elements ? { stripe, elements } : null;
  const form = usePaymentForm({ quote, lastPaymentId, card });
  const isHeld = !card || !isReady || isStale;
  return (
    <form.AppForm>
      <form.Body isHeld={isHeld} className="grid gap-4">
        <div className="relative min-h-48">
          {!isReady && <Skeleton className="absolute inset-0" />}
          <PaymentElement
            options={{ layout: "tabs" }}
            onReady={() => setReady(true)}
            onLoadError={onLoadError}
          />
        </div>
        <form.SubmitError />
        <form.SubmitButton isHeld={isHeld} pendingLabel={m.pay_paying()} className="aria-disabled:opacity-55">
          {m.pay_button({ money: formatExactMoney(quote.totalCents, quote.currency) })}
        </form.SubmitButton>
        <p className="text-sm text-soft">{m.pay_card_safe()}</p>
      </form.Body>
    </form.AppForm>
  );
}
