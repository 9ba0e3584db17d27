import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Stripe, StripeElements, StripeError } from "@stripe/stripe-js";
import { useRef } from "react";
import type { Quote } from "../../../worker/contract/money/payments.ts";
import { paymentQuery, plansQuery, requestPayment } from "../../api/queries/payments.ts";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import { renewalQuery, savedCardsQuery } from "../../api/queries/saved-cards.ts";
import { m } from "../../messages/messages.js";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { clearErrors } from "../../ui/form/remount-state.ts";
import type { FormMessage } from "../../ui/notices.tsx";
import { errorMessage } from "../language/error-messages.ts";

/** Stripe's library with the fields of a card or a wallet; null where points pay for all of it or it is not loaded yet. */
export type CardElements = { stripe: Stripe; elements: StripeElements } | null;

/** A card that Stripe keeps: there are no fields to check. */
type SavedCard = { stripe: Stripe; savedCardId: string };
type PaidWith = NonNullable<CardElements> | SavedCard;

/** By Stripe's decline code, else by its error code (docs.stripe.com/declines/codes, /error-codes). */
const DECLINE_MESSAGES: Record<string, () => string> = {
  generic_decline: m.decline_generic,
  card_declined: m.decline_generic,
  do_not_honor: m.decline_generic,
  insufficient_funds: m.decline_funds,
  lost_card: m.decline_lost,
  stolen_card: m.decline_lost,
  expired_card: m.decline_expired,
  incorrect_cvc: m.decline_cvc,
  invalid_cvc: m.decline_cvc,
  incorrect_number: m.decline_number,
  invalid_number: m.decline_number,
  incorrect_zip: m.decline_zip,
  postal_code_invalid: m.decline_zip,
  processing_error: m.decline_processing,
  try_again_later: m.decline_processing,
  card_velocity_exceeded: m.decline_limit,
  withdrawal_count_limit_exceeded: m.decline_limit,
  card_not_supported: m.decline_unsupported,
  currency_not_supported: m.decline_unsupported,
  authentication_required: m.decline_authentication,
  payment_intent_authentication_failure: m.decline_authentication,
  fraudulent: m.decline_generic,
  rate_limit: m.decline_processing,
};

/** Stripe or the bank refused, or it is unknown what they did. */
class UnpaidError extends Error {
  readonly formMessage: FormMessage;

  constructor(formMessage: FormMessage) {
    super("unpaid");
    this.formMessage = formMessage;
  }
}

/**
 * Pays what was quoted, once: the card is checked, the payment prepared for the very total that the driver
 * saw, then confirmed by Stripe, which asks the bank. The outcome is in the address from then on, so that
 * neither a reload nor a second tab pays again.
 */
export function usePaymentForm({
  quote: { plan, points, totalCents, currency, priceId, renewalCapCents },
  lastPaymentId,
  renews = false,
  saves = false,
  card,
  onInvalidCard,
  onUnpaid,
}: {
  quote: Quote;
  lastPaymentId: string | null;
  /** The driver agrees to the quote's cap. */
  renews?: boolean;
  /** The driver lets Stripe keep the card that they typed, for payments that they make themselves. */
  saves?: boolean;
  card: CardElements | SavedCard;
  /** Stripe says at its own fields what is wrong with them. */
  onInvalidCard?: () => void;
  /** The card was refused, or the outcome is unknown: the driver has no notice yet. */
  onUnpaid?: (message: FormMessage) => void;
}) {
  const queryClient = useQueryClient();
  const navigate = useNavigate({ from: "/flex/payments" });
  const wallet = useRef<CardElements>(null);
  const isUnderWay = useRef(false);

  /** @returns whether the outcome is shown; if not, Stripe said why at its fields */
  const pay = async (method: PaidWith | null): Promise<boolean> => {
    if (method && "elements" in method) {
      const { error } = await method.elements.submit();
      if (error && error.type !== "validation_error") throw new UnpaidError({ title: declineMessage(error) });
      if (error) {
        onInvalidCard?.();
        return false;
      }
    }
    const renewal = renews ? { capCents: renewalCapCents, words: RENEWAL_WORDS } : null;
    const savesCard = saves && method === card;
    const order = { plan, points, totalCents, currency, lastPaymentId, priceId, renewal, savesCard };
    const prepared = await requestPayment(order);
    const { paymentId, clientSecret } = prepared;
    const show = (status: "succeeded" | "requires_action") => {
      // A card may be saved, and a renewal begun.
      for (const { queryKey } of [savedCardsQuery, renewalQuery])
        void queryClient.invalidateQueries({ queryKey });
      return navigate({ search: { plan, payment: paymentId, redirect_status: status }, replace: true });
    };
    if (!method || clientSecret === null) {
      await show("succeeded");
      return true;
    }
    const error = await confirm(method, {
      clientSecret,
      returnUrl: returnAddress(plan, paymentId),
      savesCard,
    });
    if (error?.type === "validation_error") {
      onInvalidCard?.();
      return false;
    }
    // In spite of any error, the payment may have gone through: its response was lost, or another tab paid.
    if (error && (await isStillOpen(paymentId))) throw new UnpaidError(unpaidMessage(error));
    await show(error ? "requires_action" : "succeeded");
    return true;
  };

  /** Whether Stripe says that the payment waits for a card; false too where that can't be found out now. */
  const isStillOpen = async (paymentId: string): Promise<boolean> => {
    try {
      const { payment } = await queryClient.fetchQuery({
        ...paymentQuery(paymentId),
        retry: false,
        // The answer may have been lost with the connection: nothing waits for that to come back.
        networkMode: "always",
      });
      return payment.status === "open";
    } catch {
      return false;
    }
  };

  const form = useSubmitForm({
    defaultValues: {},
    send: async () => {
      isUnderWay.current = false;
      try {
        isUnderWay.current = await pay(wallet.current ?? card);
      } catch (error) {
        // The price that the driver saw may be outdated, or the answer of a payment by points lost.
        if (error instanceof UnpaidError) onUnpaid?.(error.formMessage);
        else {
          await queryClient.invalidateQueries({ queryKey: plansQuery.queryKey });
          await queryClient.invalidateQueries({ queryKey: ["quote"] });
        }
        throw error;
      }
    },
    describeError: (error) => ({
      message:
        error instanceof UnpaidError
          ? error.formMessage
          : { title: m.pay_prepare_failed(), hint: errorMessage(error) },
    }),
  });

  /** Pays with a wallet instead of the form's card. @returns whether the outcome is shown */
  const payWith = async (method: NonNullable<CardElements>): Promise<boolean> => {
    if (form.state.isSubmitting) return false;
    wallet.current = method;
    clearErrors(form);
    await form.handleSubmit();
    wallet.current = null;
    return isUnderWay.current;
  };

  return { form, payWith };
}

/** Asks the bank. @returns what went wrong; an answer that never came is an error like any other */
async function confirm(
  { stripe, ...paidWith }: PaidWith,
  { clientSecret, returnUrl, savesCard }: { clientSecret: string; returnUrl: string; savesCard: boolean },
): Promise<Pick<StripeError, "type" | "code" | "decline_code"> | undefined> {
  try {
    const { error } = await stripe.confirmPayment({
      ...("elements" in paidWith && { elements: paidWith.elements }),
      clientSecret,
      confirmParams: {
        return_url: returnUrl,
        ...("savedCardId" in paidWith && { payment_method: paidWith.savedCardId }),
        // Else it is kept without being offered again.
        ...(savesCard && { payment_method_data: { allow_redisplay: "always" } }),
      },
      redirect: "if_required",
    });
    return error;
  } catch {
    return { type: "api_connection_error" };
  }
}

/** Nothing is paid so far. A refusal is final; after anything else Stripe may still have the card. */
function unpaidMessage(error: Pick<StripeError, "type" | "code" | "decline_code">): FormMessage {
  const isRefused = error.type === "card_error" || error.code === "payment_intent_authentication_failure";
  return isRefused
    ? { title: declineMessage(error), hint: m.pay_not_charged() }
    : { title: m.pay_answer_lost(), hint: m.pay_answer_lost_text() };
}

/** Where a bank sends the driver back to. */
function returnAddress(plan: string, payment: string): string {
  const search = new URLSearchParams({ plan, payment });
  return `${location.origin}/flex/payments?${search.toString()}`;
}

/** Why a card wasn't charged, and what the driver can do; general for codes that aren't listed. */
function declineMessage({
  decline_code: declined,
  code,
  type,
}: Pick<StripeError, "code" | "decline_code" | "type">): string {
  const message = DECLINE_MESSAGES[declined ?? ""] ?? DECLINE_MESSAGES[code ?? ""];
  if (message) return message();
  return type === "card_error" ? m.decline_generic() : m.decline_unknown();
}
