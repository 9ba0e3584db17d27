import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Stripe, StripeElements } from "@stripe/stripe-js";
import { useRef, useState } from "react";
import type { Quote } from "../../../worker/contract/payments.ts";
import { plansQuery, requestPayment } from "../../api/payments.ts";
import { errorCodeOf } from "../../api/api-error.ts";
import { m } from "../../messages/messages.js";
import { errorMessage } from "../language/error-messages.ts";
import { declineMessage } from "./decline-messages.ts";

/** The card form, as Stripe's library hands it out; null where points pay for all of it. */
export type CardElements = { stripe: Stripe; elements: StripeElements } | null;

export type PaymentError = { title: string; hint?: string };

/**
 * Pays what was quoted, once: the card is checked, the payment prepared for the very total that the driver
 * saw, then confirmed by Stripe, which asks the bank. How it ended stands in the address from then on, so
 * that neither a reload nor a second tab pays again.
 */
export function usePay({ plan, points, totalCents }: Quote, lastPaymentId: string | null) {
  const [isPaying, setPaying] = useState(false);
  const [paymentError, setPaymentError] = useState<PaymentError | null>(null);
  const isInProgress = useRef(false);
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: "/flex/payments" });

  const attempt = async (card: CardElements): Promise<PaymentError | null> => {
    if (card) {
      const { error } = await card.elements.submit();
      // What is wrong stands at its field, inside the card form.
      if (error) return error.type === "validation_error" ? null : { title: declineMessage(error) };
    }
    const prepared = await requestPayment({ plan, points, totalCents, lastPaymentId });
    const show = (status: "succeeded" | "requires_action") =>
      navigate({ search: { plan, payment: prepared.paymentId, redirect_status: status }, replace: true });
    if (!card || prepared.clientSecret === null) {
      await show("succeeded");
      return null;
    }
    const { error } = await card.stripe.confirmPayment({
      elements: card.elements,
      clientSecret: prepared.clientSecret,
      confirmParams: { return_url: returnAddress(plan, prepared.paymentId) },
      redirect: "if_required",
    });
    if (error && error.code !== "payment_intent_unexpected_state") {
      return error.type === "validation_error"
        ? null
        : { title: declineMessage(error), hint: m.pay_not_charged() };
    }
    // Another tab may have paid it in the meantime: the server knows.
    await show(error ? "requires_action" : "succeeded");
    return null;
  };

  const pay = async (card: CardElements) => {
    if (isInProgress.current) return;
    isInProgress.current = true;
    setPaying(true);
    setPaymentError(null);
    try {
      setPaymentError(await attempt(card));
    } catch (error) {
      setPaymentError({ title: m.pay_prepare_failed(), hint: errorMessage(error) });
      if (STALE_QUOTE_CODES.has(errorCodeOf(error))) {
        await queryClient.invalidateQueries({ queryKey: plansQuery.queryKey });
        await queryClient.invalidateQueries({ queryKey: ["quote"] });
      }
    } finally {
      isInProgress.current = false;
      setPaying(false);
    }
  };
  return { pay, isPaying, failure: paymentError };
}

/** What the driver was shown is no longer so: it is asked for anew. */
const STALE_QUOTE_CODES: ReadonlySet<string> = new Set(["price_changed", "points_short", "already_paid"]);

/** Where a bank sends the driver back to. */
function returnAddress(plan: string, payment: string): string {
  const search = new URLSearchParams({ plan, payment });
  return `${location.origin}/flex/payments?${search.toString()}`;
}
