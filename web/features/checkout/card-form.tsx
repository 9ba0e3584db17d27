import { Elements, PaymentElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { Stripe, StripeElementsOptionsMode } from "@stripe/stripe-js";
import { useQuery } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { LANGUAGE_FACTS } from "../../../db/shapes/language.ts";
import type { Quote } from "../../../worker/contract/money/payments.ts";
import { cardSessionQuery } from "../../api/queries/saved-cards.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useOnline } from "../../ui/use-online.ts";
import { formatExactMoney } from "../language/format.ts";
import { useLocale } from "../language/locale.ts";
import { METHOD_CLASS, PayBar } from "./checkout-layout.tsx";
import { ExpressCheckout } from "./express-checkout.tsx";
import { loadStripeOnce, useStripeAppearance } from "./stripe.ts";
import { usePaymentForm } from "./use-payment-form.ts";

type CardFormProps = {
  quote: Quote;
  isStale: boolean;
  lastPaymentId: string | null;
  publishableKey: string;
  /** Those that the payment's intent takes: another one would fail at the press. */
  paymentMethods: string[];
  /** The driver chose renewal, which keeps the card. */
  renews: boolean;
  /** The method and the bar until Stripe's library is here. */
  loading: ReactNode;
};

const WALLETS_WAIT_MS = 1_000;

/** Wallets, and the card, typed into Stripe's own frame: its number never reaches our code. */
export function CardForm(props: CardFormProps) {
  const [attempt, setAttempt] = useState(0);
  return <StripeLoader key={attempt} {...props} onRetry={() => setAttempt((count) => count + 1)} />;
}

function StripeLoader(props: CardFormProps & { onRetry: () => void }) {
  const [saves, setSaves] = useState(false);
  const { quote, publishableKey, paymentMethods, renews, loading, onRetry } = props;
  const [stripe, setStripe] = useState<Stripe | "failed" | null>(null);
  const session = useQuery(cardSessionQuery);
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
      <div className={METHOD_CLASS}>
        <StatusPanel
          Icon={WifiOff}
          role="alert"
          title={m.pay_card_failed()}
          actions={<Button onClick={onRetry}>{m.try_again()}</Button>}
        >
          {m.pay_card_failed_text()}
        </StatusPanel>
      </div>
    );
  }
  if (!stripe || session.isPending) return loading;
  const walletOptions: StripeElementsOptionsMode = {
    mode: "payment",
    amount: quote.totalCents,
    currency: quote.currency.toLowerCase(),
    allowedPaymentMethodTypes: paymentMethods,
    locale: LANGUAGE_FACTS[locale].stripe,
    appearance,
    // Null and not absent: an update that leaves it out would not take it back.
    setupFutureUsage: renews ? "off_session" : null,
  };
  // The intent's later values: Stripe refuses a form with other ones.
  const options = { ...walletOptions, ...(saves && !renews && { setupFutureUsage: "on_session" as const }) };
  // Without a session, saved cards are left out, and nothing else.
  const customerSessionClientSecret = session.data?.clientSecret;
  return (
    <Elements
      // A group can't change its session. One session is for every choice below: what was typed outlives them.
      key={customerSessionClientSecret}
      stripe={stripe}
      options={{ ...options, ...(customerSessionClientSecret && { customerSessionClientSecret }) }}
    >
      <PaymentForm
        {...props}
        {...{ stripe, walletOptions, saves }}
        onSaves={setSaves}
        onLoadError={() => setStripe("failed")}
      />
    </Elements>
  );
}

function PaymentForm({
  quote,
  isStale,
  lastPaymentId,
  renews,
  stripe: loadedStripe,
  walletOptions,
  saves,
  onSaves,
  onLoadError,
}: CardFormProps & {
  stripe: Stripe;
  walletOptions: StripeElementsOptionsMode;
  /** The driver ticked the box. */
  saves: boolean;
  onSaves: (saves: boolean) => void;
  onLoadError: () => void;
}) {
  const stripe = useStripe();
  const elements = useElements();
  const [isReady, setReady] = useState(false);
  const [areWalletsKnown, setWalletsKnown] = useState(false);
  useEffect(() => {
    if (!isReady) return undefined;
    // A card can be typed without them.
    const timer = setTimeout(() => setWalletsKnown(true), WALLETS_WAIT_MS);
    return () => clearTimeout(timer);
  }, [isReady]);
  const [isSavedCard, setSavedCard] = useState(false);
  const [isFilled, setFilled] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const card = stripe && elements ? { stripe, elements } : null;
  const { form, payWith } = usePaymentForm({
    quote,
    lastPaymentId,
    renews,
    saves: saves && !renews,
    card,
    onInvalidCard: () => fields.current?.scrollIntoView({ block: "center" }),
  });
  const isOnline = useOnline();
  const isHeld = !card || !isReady || isStale || !isOnline;
  // The wallets stand above the fields and would push them down.
  const isShown = isReady && areWalletsKnown;
  return (
    <form.AppForm>
      <form.Body isHeld={isHeld} className="contents">
        {/* The room of the fields with wallets above them, which most devices have. */}
        <div className={`${METHOD_CLASS} ${isShown ? "" : "min-h-107"}`}>
          <h2 className="sr-only">{m.pay_with()}</h2>
          {!isShown && <Skeleton className="absolute inset-4 sm:inset-5" />}
          {/* A group of its own: pressing a wallet must not check the card's empty fields. */}
          <Elements stripe={loadedStripe} options={walletOptions}>
            <ExpressCheckout
              quote={quote}
              isHeld={isStale || !isOnline}
              onKnown={() => setWalletsKnown(true)}
              onPay={payWith}
            />
          </Elements>
          {/* A list of saved cards is lower than the fields. */}
          <div ref={fields} className={`${isSavedCard ? "" : "min-h-48"} ${isShown ? "" : "invisible"}`}>
            <PaymentElement
              options={{
                layout: "tabs",
                // They have buttons of their own above.
                wallets: { applePay: "never", googlePay: "never" },
              }}
              onReady={() => setReady(true)}
              onChange={({ value, complete }) => {
                setFilled(complete);
                const isSaved = value.payment_method !== undefined;
                setSavedCard(isSaved);
                if (isSaved) onSaves(false);
              }}
              onLoadError={onLoadError}
            />
          </div>
          {/* A renewal keeps the card anyway, and a saved one is kept already. */}
          {!renews && !isSavedCard && (
            <div className={isShown ? "" : "invisible"}>
              <SaveCard saves={saves} onChange={onSaves} />
            </div>
          )}
          <p className={`text-sm text-soft ${isShown ? "" : "invisible"}`}>{m.pay_card_safe()}</p>
        </div>
        <PayBar quote={quote} isStale={isStale} renews={renews} isFilled={isFilled}>
          <form.SubmitError />
          <form.SubmitButton
            isHeld={isHeld}
            pendingLabel={m.pay_paying()}
            className="w-full aria-disabled:opacity-55"
          >
            {m.pay_button({ money: formatExactMoney(quote.totalCents, quote.currency) })}
          </form.SubmitButton>
        </PayBar>
      </form.Body>
    </form.AppForm>
  );
}

/** Asks whether Stripe may keep the card for the next time. Never ticked unless the driver does. */
function SaveCard({ saves, onChange }: { saves: boolean; onChange: (saves: boolean) => void }) {
  return (
    <label className="flex min-h-11 items-center gap-3">
      <input
        type="checkbox"
        name="saves"
        checked={saves}
        onChange={(event) => onChange(event.target.checked)}
        className="size-5.5 shrink-0 accent-(--ink)"
      />
      <span>{m.pay_save_card()}</span>
    </label>
  );
}
