import { ExpressCheckoutElement, useElements, useStripe } from "@stripe/react-stripe-js";
import type { StripeExpressCheckoutElementConfirmEvent } from "@stripe/stripe-js";
import { useState } from "react";
import type { Quote } from "../../../worker/contract/money/payments.ts";
import { useProductName } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { formatPlan } from "../payments/payment-labels.ts";
import type { CardElements } from "./use-payment-form.ts";

/** Apple Pay, Google Pay and Link, as far as the device has them; nothing where it has none. */
export function ExpressCheckout({
  quote,
  isHeld,
  onKnown,
  onPay,
}: {
  quote: Quote;
  /** The price is being fetched again: no sheet may open for the old one. */
  isHeld: boolean;
  /** It is known which wallets there are, and so what height they take. */
  onKnown: () => void;
  /** Resolves to whether the payment went through or is under way. */
  onPay: (wallet: NonNullable<CardElements>) => Promise<boolean>;
}) {
  const stripe = useStripe();
  const elements = useElements();
  const product = useProductName();
  const [hasWallets, setHasWallets] = useState(false);
  const pay = async (event: StripeExpressCheckoutElementConfirmEvent) => {
    const isUnderWay = stripe && elements ? await onPay({ stripe, elements }) : false;
    // The wallet's sheet stays open until it is told.
    if (!isUnderWay) event.paymentFailed({ reason: "fail" });
  };
  return (
    // Invisible and not absent, or Stripe would measure nothing.
    <div className={hasWallets ? "grid gap-4" : "invisible absolute inset-x-4"} data-testid="wallets">
      <ExpressCheckoutElement
        options={{
          buttonHeight: 48,
          buttonType: { applePay: "plain", googlePay: "plain" },
          layout: { maxColumns: 2, maxRows: 2, overflow: "never" },
          paymentMethods: { amazonPay: "never", paypal: "never", klarna: "never" },
          business: { name: product },
        }}
        onReady={({ availablePaymentMethods }) => {
          setHasWallets(availablePaymentMethods !== undefined);
          onKnown();
        }}
        onAvailablePaymentMethodsChange={({ paymentMethods = {} }) =>
          setHasWallets(Object.values(paymentMethods).some((method) => method?.available))
        }
        onLoadError={() => {
          setHasWallets(false);
          onKnown();
        }}
        onClick={(event) => {
          if (isHeld) event.reject();
          else event.resolve({ lineItems: lineItemsOf(quote) });
        }}
        onConfirm={(event) => void pay(event)}
      />
      <p className="flex items-center gap-3 text-sm text-soft before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {m.pay_or_card()}
      </p>
    </div>
  );
}

/** The lines of the wallet's sheet: both add up to the total. */
function lineItemsOf({ plan, totalCents, feeCents }: Quote) {
  return [
    { name: m.pay_line_plan({ plan: formatPlan(plan) }), amount: totalCents - feeCents },
    { name: m.pay_line_fee(), amount: feeCents },
  ];
}
