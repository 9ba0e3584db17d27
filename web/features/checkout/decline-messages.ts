import type { StripeError } from "@stripe/stripe-js";
import { m } from "../../messages/messages.js";

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

/** Why a card wasn't charged, and what the driver can do; general for codes that aren't listed. */
export function declineMessage({
  decline_code: declined,
  code,
  type,
}: Pick<StripeError, "code" | "decline_code" | "type">): string {
  const message = DECLINE_MESSAGES[declined ?? ""] ?? DECLINE_MESSAGES[code ?? ""];
  if (message) return message();
  return type === "card_error" ? m.decline_generic() : m.decline_unknown();
}
