import { digest } from "../chance.ts";
import type { State } from "../state.ts";
import { intentOf, methodOf, saveIntent, type Act } from "./act.ts";
import { asksForOwner, DECLINES } from "./cards.ts";
import { addCharge, chargeIntent, declineProblem, failIntent } from "./charges.ts";
import { emit } from "./events.ts";
import { StripeRefusal, refuse } from "./refusal.ts";
import type { Decline, Intent, IntentStatus, Problem } from "./shapes.ts";
import { setSwitches, switchesOf } from "./switches.ts";
import { paymentId } from "./tables.ts";
import { intentView } from "./views/intents.ts";
import { methodView } from "./views/methods.ts";

export const OPEN: readonly IntentStatus[] = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
];

type Opened = Omit<
  Intent,
  | "id"
  | "clientSecret"
  | "createdAt"
  | "status"
  | "challenge"
  | "problem"
  | "latestCharge"
  | "canceledAt"
  | "cancellationReason"
>;

export function openIntent(act: Act, given: Opened): Intent {
  const id = paymentId(act.state, "pi");
  const secret = [1, 2]
    .map((part) => digest(`${id}:${part}`))
    .join("")
    .slice(0, 25);
  const intent: Intent = {
    ...given,
    id,
    clientSecret: `${id}_secret_${secret}`,
    createdAt: act.now,
    status: given.methodId === null ? "requires_payment_method" : "requires_confirmation",
    challenge: null,
    problem: null,
    latestCharge: null,
    canceledAt: null,
    cancellationReason: null,
  };
  act.state.payments.intents.set(id, intent);
  emit(act, "payment_intent.created", intentView(act.state, intent));
  return intent;
}

type Confirming = {
  methodId: string;
  returnUrl: string | null;
  /** Whether stripe.js can show the bank's challenge over the page. */
  sdk: boolean;
  /** The charge keeps processing until it is settled by hand. */
  hold?: boolean;
  /** The card's owner isn't there: nobody can answer a challenge. */
  offSession?: boolean;
};

/** Attempts the charge. @throws {StripeRefusal} card_error with the intent, if the card is declined */
export function confirmIntent(
  act: Act,
  intent: Intent,
  { methodId, returnUrl, sdk, hold, offSession = false }: Confirming,
): Intent {
  if (intent.status === "succeeded" || intent.status === "canceled" || intent.status === "processing") {
    throw unexpected(
      act.state,
      intent,
      intent.status === "succeeded"
        ? "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed."
        : `This PaymentIntent's status is ${intent.status}, but it must be requires_payment_method, requires_confirmation or requires_action to be confirmed.`,
    );
  }
  const switches = switchesOf(act.state);
  setSwitches(act.state, { ...switches, declineNext: null, redirectNext: false });
  const forced = switches.declineNext === null ? null : (DECLINES[switches.declineNext] ?? null);
  const method = methodOf(act.state, methodId);
  const asks = asksForOwner(method, offSession);
  // The bank's answer comes later: until then the card keeps the decline.
  if (forced && asks && !offSession)
    act.state.payments.methods.set(methodId, { ...method, play: { ...method.play, decline: forced } });
  const tried: Intent = { ...intent, methodId, problem: null, challenge: null };
  const redirect = switches.redirectNext && returnUrl !== null;
  if ((asks && !offSession) || redirect) {
    const kind = sdk && !redirect ? "sdk" : "redirect";
    const url = bankUrl(act, intent);
    const asked = saveIntent(act, {
      ...tried,
      status: "requires_action",
      challenge: { kind, returnUrl, url },
    });
    emit(act, "payment_intent.requires_action", intentView(act.state, asked));
    return asked;
  }
  if (hold) {
    const held = saveIntent(act, { ...tried, status: "processing" });
    emit(act, "payment_intent.processing", intentView(act.state, held));
    return held;
  }
  const unasked = asks && offSession ? (DECLINES["authentication_required"] ?? null) : null;
  return chargeIntent(act, tried, { decline: unasked ?? forced });
}

/** Completes 3-D Secure. A failure leaves the intent without a card, but throws nothing. */
export function answerChallenge(act: Act, intent: Intent, passed: boolean): Intent {
  if (intent.status !== "requires_action" || intent.methodId === null) {
    throw unexpected(
      act.state,
      intent,
      "This PaymentIntent does not wait for its owner to be authenticated.",
    );
  }
  if (passed) {
    try {
      return chargeIntent(act, { ...intent, challenge: null }, { threeDSecure: true });
    } catch (error) {
      if (error instanceof StripeRefusal && error.status === 402) return intentOf(act.state, intent.id);
      throw error;
    }
  }
  const problem: Problem = {
    type: "invalid_request_error",
    code: "payment_intent_authentication_failure",
    declineCode: null,
    message:
      "We are unable to authenticate your payment method. Please choose a different payment method and try again.",
    charge: null,
    methodId: intent.methodId,
  };
  return failIntent(act, intent, problem);
}

/** Settles a payment that is processing. */
export function settleIntent(act: Act, intent: Intent, outcome: "succeeded" | "failed"): Intent {
  if (intent.status !== "processing" || intent.methodId === null)
    throw unexpected(act.state, intent, "This PaymentIntent is not in process.");
  if (outcome === "succeeded") return chargeIntent(act, intent);
  const decline = DECLINES["generic_decline"] as Decline;
  return failIntent(act, intent, declineProblem(decline, addCharge(act, intent, decline, false)));
}

export function cancelIntent(act: Act, intent: Intent, reason: string | null): Intent {
  if (intent.status === "succeeded" || intent.status === "canceled") {
    throw unexpected(
      act.state,
      intent,
      `You cannot cancel this PaymentIntent because it has a status of ${intent.status}. Only a PaymentIntent with one of the following statuses may be canceled: requires_payment_method, requires_capture, requires_confirmation, requires_action, processing.`,
    );
  }
  const canceled = saveIntent(act, {
    ...intent,
    status: "canceled",
    challenge: null,
    canceledAt: act.now,
    cancellationReason: reason,
  });
  emit(act, "payment_intent.canceled", intentView(act.state, canceled));
  return canceled;
}

/** The error for an action that the intent's status doesn't allow. */
export function unexpected(state: State, intent: Intent, message: string): StripeRefusal {
  return refuse(message, {
    code: "payment_intent_unexpected_state",
    payment_intent: intentView(state, intent),
    ...(intent.methodId === null ? {} : { payment_method: methodView(methodOf(state, intent.methodId)) }),
  });
}

/** Where the bank's challenge is shown: in a frame over the page, or on its own page. */
function bankUrl({ origin }: Act, intent: Intent): string {
  const url = new URL("/sandbox/stripe/bank", origin);
  url.searchParams.set("payment_intent", intent.id);
  url.searchParams.set("payment_intent_client_secret", intent.clientSecret);
  return url.href;
}
