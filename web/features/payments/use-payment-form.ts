import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Stripe, StripeElements } from "@stripe/stripe-js";
import type { Quote } from "../../../worker/contract/payments.ts";
import { plansQuery, requestPayment } from "../../api/payments.ts";
import { errorCodeOf } from "../../api/request-error.ts";
import { m } from "../../messages/messages.js";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import type { FormMessage } from "../../ui/form-error.tsx";
import { errorMessage } from "../language/error-messages.ts";
import { declineMessage } from "./decline-messages.ts";

/** Stripe's library with the card's fields; null where points pay for all of it or it is not loaded yet. */
export type CardElements = { stripe: Stripe; elements: StripeElements } | null;

/** Stripe or the bank refused the card. */
class DeclinedError extends Error {
  readonly formMessage: FormMessage;

  constructor(formMessage: FormMessage) {
    super("declined");
    this.formMessage = formMessage;
  }
}

/**
 * Pays what was quoted, once: the card is checked, the payment prepared for the very total that the driver
 * saw, then confirmed by Stripe, which asks the bank. The outcome is in the address from then on, so that
 * neither a reload nor a second tab pays again.
 */
export function usePaymentForm({
  quote: { plan, points, totalCents, priceId },
  lastPaymentId,
  card,
}: {
  quote: Quote;
  lastPaymentId: string | null;
  card: CardElements;
}) {
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: "/flex/payments" });

  const pay = async () => {
    if (card) {
      const { error } = await card.elements.submit();
      // Stripe says at its own field what is wrong with it.
      if (error?.type === "validation_error") return;
      if (error) throw new DeclinedError({ title: declineMessage(error) });
    }
    const prepared = await requestPayment({ plan, points, totalCents, lastPaymentId, priceId });
    const show = (status: "succeeded" | "requires_action") =>
      navigate({ search: { plan, payment: prepared.paymentId, redirect_status: status }, replace: true });
    if (!card || prepared.clientSecret === null) {
      await show("succeeded");
      return;
    }
    const { error } = await card.stripe.confirmPayment({
      elements: card.elements,
      clientSecret: prepared.clientSecret,
      confirmParams: { return_url: returnAddress(plan, prepared.paymentId) },
      redirect: "if_required",
    });
    // A payment in an unexpected state may have been paid in another tab: the server knows.
    const isUnexpected = error?.code === "payment_intent_unexpected_state";
    if (error && !isUnexpected) {
      if (error.type === "validation_error") return;
      throw new DeclinedError({ title: declineMessage(error), hint: m.pay_not_charged() });
    }
    await show(isUnexpected ? "requires_action" : "succeeded");
  };

  return useSubmitForm({
    defaultValues: {},
    send: async () => {
      try {
        await pay();
      } catch (error) {
        if (STALE_QUOTE_CODES.has(errorCodeOf(error))) {
          await queryClient.invalidateQueries({ queryKey: plansQuery.queryKey });
          await queryClient.invalidateQueries({ queryKey: ["quote"] });
        }
        throw error;
      }
    },
    describeError: (error) => ({
      message:
        error instanceof DeclinedError
          ? error.formMessage
          : { title: m.pay_prepare_failed(), hint: errorMessage(error) },
    }),
  });
}

/** The price that the driver saw is outdated: fetches it again. */
const STALE_QUOTE_CODES: ReadonlySet<string> = new Set(["price_changed", "points_short", "already_paid"]);

/** Where a bank sends the driver back to. */
function returnAddress(plan: string, payment: string): string {
  const search = new URLSearchParams({ plan, payment });
  return `${location.origin}/flex/payments?${search.toString()}`;
}
