import type { Decline, Method, Play } from "./shapes.ts";

/** Decline codes and messages as in Stripe's API. */
export const DECLINES: Record<string, Decline> = {
  generic_decline: declined("generic_decline", "Your card was declined."),
  insufficient_funds: declined("insufficient_funds", "Your card has insufficient funds."),
  lost_card: declined("lost_card", "Your card was declined."),
  stolen_card: declined("stolen_card", "Your card was declined."),
  fraudulent: declined("fraudulent", "Your card was declined."),
  card_velocity_exceeded: declined(
    "card_velocity_exceeded",
    "Your card was declined for making repeated attempts too frequently or exceeding its amount limit.",
  ),
  test_mode_live_card: declined(
    "test_mode_live_card",
    "Your card was declined. Your request was in test mode, but used a non test card. For a list of valid test cards, visit: https://stripe.com/docs/testing.",
  ),
  authentication_required: {
    code: "authentication_required",
    declineCode: "authentication_required",
    message: "Your card was declined. This transaction requires authentication.",
  },
  expired_card: { code: "expired_card", declineCode: null, message: "Your card has expired." },
  incorrect_cvc: {
    code: "incorrect_cvc",
    declineCode: null,
    message: "Your card's security code is incorrect.",
  },
  processing_error: {
    code: "processing_error",
    declineCode: null,
    message: "An error occurred while processing your card. Try again in a little bit.",
  },
};

function declined(declineCode: string, message: string): Decline {
  return { code: "card_declined", declineCode, message };
}

const GOOD: Play = { challenge: "never", decline: null, dispute: null, refund: "at_once" };
const fails = (name: string, more: Partial<Play> = {}): Play => ({
  ...GOOD,
  decline: DECLINES[name] ?? null,
  ...more,
});

/** Stripe's documented test cards, by number. */
export const CARDS: Record<string, Play> = {
  "4242424242424242": GOOD,
  "4000056655665556": GOOD,
  "5555555555554444": GOOD,
  "5200828282828210": GOOD,
  "378282246310005": GOOD,
  "6011111111111117": GOOD,
  "4000000000000077": GOOD,
  "4000002500003155": { ...GOOD, challenge: "until_set_up" },
  "4000003800000446": { ...GOOD, challenge: "on_session" },
  "4000002760003184": { ...GOOD, challenge: "always" },
  "4000000000003220": { ...GOOD, challenge: "always" },
  "4000008400001629": fails("generic_decline", { challenge: "always" }),
  "4000008260003178": fails("insufficient_funds", { challenge: "always" }),
  "4000000000000002": fails("generic_decline"),
  "4000000000000341": fails("generic_decline"),
  "4000000000009995": fails("insufficient_funds"),
  "4000000000009987": fails("lost_card"),
  "4000000000009979": fails("stolen_card"),
  "4100000000000019": fails("fraudulent"),
  "4000000000006975": fails("card_velocity_exceeded"),
  "4000000000000069": fails("expired_card"),
  "4000000000000127": fails("incorrect_cvc"),
  "4000000000000119": fails("processing_error"),
  "4000000000000259": { ...GOOD, dispute: "fraudulent" },
  "4000000000002685": { ...GOOD, dispute: "product_not_received" },
  "4000000000007726": { ...GOOD, refund: "later" },
  "4000000000005126": { ...GOOD, refund: "fails_later" },
};

/** Stripe's predefined payment methods for test cards. */
export const READY_MADE: Record<string, string> = {
  pm_card_visa: "4242424242424242",
  pm_card_visa_debit: "4000056655665556",
  pm_card_mastercard: "5555555555554444",
  pm_card_amex: "378282246310005",
  pm_card_authenticationRequired: "4000002760003184",
  pm_card_authenticationRequiredOnSetup: "4000002500003155",
  pm_card_threeDSecure2Required: "4000000000003220",
  pm_card_visa_chargeDeclined: "4000000000000002",
  pm_card_chargeDeclined: "4000000000000002",
  pm_card_visa_chargeDeclinedInsufficientFunds: "4000000000009995",
  pm_card_chargeDeclinedInsufficientFunds: "4000000000009995",
  pm_card_visa_chargeDeclinedLostCard: "4000000000009987",
  pm_card_chargeDeclinedExpiredCard: "4000000000000069",
  pm_card_chargeDeclinedIncorrectCvc: "4000000000000127",
  pm_card_chargeDeclinedProcessingError: "4000000000000119",
  pm_card_createDispute: "4000000000000259",
};

/** Whether the bank wants its customer to prove who they are. */
export function asksForOwner({ play: { challenge }, setUp }: Method, offSession: boolean): boolean {
  if (challenge === "until_set_up") return !offSession || !setUp;
  return challenge === "always" || (challenge === "on_session" && !offSession);
}

/** The behavior of a card number. A number that is not a test card is declined, as in Stripe's test mode. */
export const playOf = (number: string): Play => CARDS[number] ?? fails("test_mode_live_card");

export function brandOf(number: string): string {
  if (number.startsWith("4")) return "visa";
  if (/^(5[1-5]|2[2-7])/.test(number)) return "mastercard";
  if (/^3[47]/.test(number)) return "amex";
  if (/^6(011|5)/.test(number)) return "discover";
  return "unknown";
}

/** The Luhn check. */
export function isCardNumber(number: string): boolean {
  if (!/^\d{13,19}$/.test(number)) return false;
  const digits = [...number].toReversed().map(Number);
  const sum = digits.reduce((total, digit, index) => {
    const counted = index % 2 === 0 ? digit : digit * 2;
    return total + (counted > 9 ? counted - 9 : counted);
  }, 0);
  return sum % 10 === 0;
}
