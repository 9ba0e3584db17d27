import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";
import { WifiOff } from "lucide-react";
import { useEffect, useState, type SubmitEvent } from "react";
import type { Quote } from "../../../worker/contract/payments.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { sayExactMoney } from "../language/format.ts";
import { useLocale } from "../language/locale.ts";
import { useStripeLook } from "./stripe-look.ts";
import { usePay } from "./use-pay.ts";

type CardFormProps = {
  quote: Quote;
  isOld: boolean;
  lastPaymentId: string | null;
  publishableKey: string;
};

/** One library a page, however often the form comes and goes. */
let library: Promise<Stripe | null> | null = null;

function openStripe(publishableKey: string): Promise<Stripe | null> {
  library ??= loadStripe(publishableKey).catch((error: unknown) => {
    library = null;
    throw error;
  });
  return library;
}

/** The card, typed into Stripe's own frame: its number never comes near us. */
export function CardForm(props: CardFormProps) {
  const [tries, setTries] = useState(0);
  return <Loading key={tries} {...props} onAgain={() => setTries((count) => count + 1)} />;
}

function Loading({
  quote,
  isOld,
  lastPaymentId,
  publishableKey,
  onAgain,
}: CardFormProps & { onAgain: () => void }) {
  const [stripe, setStripe] = useState<Stripe | "failed" | null>(null);
  const locale = useLocale();
  const appearance = useStripeLook();
  useEffect(() => {
    openStripe(publishableKey).then(
      (opened) => setStripe(opened ?? "failed"),
      () => setStripe("failed"),
    );
  }, [publishableKey]);
  if (stripe === "failed") {
    return (
      <Notice
        Icon={WifiOff}
        role="alert"
        title={m.pay_card_failed()}
        actions={<Button onClick={onAgain}>{m.try_again()}</Button>}
      >
        {m.pay_card_failed_text()}
      </Notice>
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
        locale: STRIPE_LOCALES[locale],
        appearance,
      }}
    >
      <Form quote={quote} isOld={isOld} lastPaymentId={lastPaymentId} onBroken={() => setStripe("failed")} />
    </Elements>
  );
}

const STRIPE_LOCALES = { en: "en", es: "es-419", pt: "pt-BR" } as const;

function Form({
  quote,
  isOld,
  lastPaymentId,
  onBroken,
}: Omit<CardFormProps, "publishableKey"> & { onBroken: () => void }) {
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setReady] = useState(false);
  const { pay, isPaying, failure } = usePay(quote, lastPaymentId);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (stripe && elements && isReady && !isOld) void pay({ stripe, elements });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="relative min-h-48">
        {!isReady && <Skeleton className="absolute inset-0" />}
        <PaymentElement options={{ layout: "tabs" }} onReady={() => setReady(true)} onLoadError={onBroken} />
      </div>
      {failure && <Problem title={failure.title} hint={failure.hint} />}
      <Button type="submit" look="primary" disabled={!isReady || isPaying || isOld}>
        {isPaying ? m.pay_paying() : m.pay_button({ money: sayExactMoney(quote.totalCents, quote.currency) })}
      </Button>
      <p className="text-sm text-soft">{m.pay_card_safe()}</p>
    </form>
  );
}
