import { digest } from "../chance.ts";
import type { State } from "../state.ts";
import { methodOf, seconds, type Act } from "./act.ts";
import { DECLINES, brandOf, playOf } from "./cards.ts";
import { openDispute } from "./disputes.ts";
import { emit } from "./events.ts";
import { StripeRefusal, missing, refuse } from "./refusal.ts";
import type { Charge, Decline, Intent, IntentStatus, Method, Problem, Switches } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { chargeView, intentView, methodView } from "./views.ts";

export const OPEN: readonly IntentStatus[] = [
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
];

export function intentOf(state: State, id: string, param?: string): Intent {
  const intent = state.payments.intents.get(id);
  if (!intent) throw missing("payment_intent", id, param);
  return intent;
}

export const switchesOf = (state: State): Switches =>
  state.payments.switches.get("switches") ?? { declineNext: null, redirectNext: false };
export const setSwitches = (state: State, switches: Switches): void =>
  state.payments.switches.set("switches", switches);

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

export function saveIntent({ state }: Act, intent: Intent): Intent {
  state.payments.intents.set(intent.id, intent);
  return intent;
}

/** The card's face is kept and what it does; its number is not. */
export function addMethod(
  { state, now }: Act,
  card: { number: string; expMonth: number; expYear: number; billing: Method["billing"] },
): Method {
  const method: Method = {
    id: paymentId(state, "pm"),
    createdAt: now,
    customer: null,
    brand: brandOf(card.number),
    last4: card.number.slice(-4),
    country: "US",
    funding: card.number === "4000056655665556" ? "debit" : "credit",
    expMonth: card.expMonth,
    expYear: card.expYear,
    billing: card.billing,
    play: playOf(card.number),
  };
  state.payments.methods.set(method.id, method);
  return method;
}

type Confirming = {
  methodId: string;
  returnUrl: string | null;
  /** Whether stripe.js is there to show the bank's question over the page. */
  sdk: boolean;
  /** The charge stays in process until it is settled by hand. */
  hold?: boolean;
};

/** Tries the card. @throws {StripeRefusal} card_error with the intent, where the card is declined. */
export function confirmIntent(
  act: Act,
  intent: Intent,
  { methodId, returnUrl, sdk, hold }: Confirming,
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
  setSwitches(act.state, { declineNext: null, redirectNext: false });
  const forced = switches.declineNext === null ? null : (DECLINES[switches.declineNext] ?? null);
  if (forced) {
    const method = methodOf(act.state, methodId);
    act.state.payments.methods.set(methodId, { ...method, play: { ...method.play, decline: forced } });
  }
  const { challenge } = methodOf(act.state, methodId).play;
  const tried: Intent = { ...intent, methodId, problem: null, challenge: null };
  const redirect = switches.redirectNext && returnUrl !== null;
  if (challenge || redirect) {
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
  return chargeIntent(act, tried, false);
}

/** The answer to the bank's question. A no leaves the intent without a card; nothing is thrown for it. */
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
      return chargeIntent(act, { ...intent, challenge: null }, true);
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

/** Ends what stays in process. */
export function settleIntent(act: Act, intent: Intent, outcome: "succeeded" | "failed"): Intent {
  if (intent.status !== "processing" || intent.methodId === null)
    throw unexpected(act.state, intent, "This PaymentIntent is not in process.");
  if (outcome === "succeeded") return chargeIntent(act, intent, false);
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

/** What can't be done to an intent in this state. */
export function unexpected(state: State, intent: Intent, message: string): StripeRefusal {
  return refuse(message, {
    code: "payment_intent_unexpected_state",
    payment_intent: intentView(state, intent),
    ...(intent.methodId === null ? {} : { payment_method: methodView(methodOf(state, intent.methodId)) }),
  });
}

function chargeIntent(act: Act, intent: Intent, threeDSecure: boolean): Intent {
  const { state } = act;
  const method = methodOf(state, intent.methodId ?? "");
  const charge = addCharge(act, intent, method.play.decline, threeDSecure);
  if (charge.decline) {
    const failed = failIntent(act, intent, declineProblem(charge.decline, charge));
    throw new StripeRefusal(402, {
      type: "card_error",
      message: charge.decline.message,
      code: charge.decline.code,
      ...(charge.decline.declineCode === null ? {} : { decline_code: charge.decline.declineCode }),
      ...(charge.decline.code === "incorrect_cvc" ? { param: "cvc" } : {}),
      ...(charge.decline.code === "expired_card" ? { param: "exp_month" } : {}),
      charge: charge.id,
      payment_intent: intentView(state, failed),
      payment_method: methodView(method),
    });
  }
  if (intent.customer !== null && intent.setupFutureUsage !== null)
    state.payments.methods.set(method.id, { ...method, customer: intent.customer });
  const paid = saveIntent(act, {
    ...intent,
    status: "succeeded",
    problem: null,
    challenge: null,
    latestCharge: charge.id,
  });
  emit(act, "charge.succeeded", chargeView(state, charge));
  emit(act, "payment_intent.succeeded", intentView(state, paid));
  const booked: Charge = { ...charge, balanceTransaction: paymentId(state, "txn") };
  state.payments.charges.set(charge.id, booked);
  emit(act, "charge.updated", chargeView(state, booked), { balance_transaction: null });
  if (method.play.dispute) openDispute(act, booked, method.play.dispute);
  return paid;
}

function addCharge(act: Act, intent: Intent, decline: Decline | null, threeDSecure: boolean): Charge {
  const { state, now } = act;
  const id = paymentId(state, "ch");
  const charge: Charge = {
    id,
    createdAt: now,
    intentId: intent.id,
    amount: intent.amount,
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    receiptEmail: intent.receiptEmail,
    receiptUrl: `${act.origin}/sandbox/stripe/receipts/${id}`,
    metadata: intent.metadata,
    methodId: intent.methodId ?? "",
    threeDSecure,
    decline,
    balanceTransaction: null,
    refundedAmount: 0,
    disputeId: null,
  };
  state.payments.charges.set(id, charge);
  if (decline) emit(act, "charge.failed", chargeView(state, charge));
  return charge;
}

function declineProblem(decline: Decline, charge: Charge): Problem {
  const { code, declineCode, message } = decline;
  return { type: "card_error", code, declineCode, message, charge: charge.id, methodId: charge.methodId };
}

/** The card is let go, so that another can be tried; the failed charge stays. */
function failIntent(act: Act, intent: Intent, problem: Problem): Intent {
  const failed = saveIntent(act, {
    ...intent,
    status: "requires_payment_method",
    methodId: null,
    challenge: null,
    problem,
    latestCharge: problem.charge ?? intent.latestCharge,
  });
  emit(act, "payment_intent.payment_failed", intentView(act.state, failed));
  return failed;
}

/** Where the bank asks: in a frame over the page, or on a page of its own. */
function bankUrl({ origin }: Act, intent: Intent): string {
  const url = new URL("/sandbox/stripe/bank", origin);
  url.searchParams.set("payment_intent", intent.id);
  url.searchParams.set("payment_intent_client_secret", intent.clientSecret);
  return url.href;
}

/** Whether an instant in seconds lies in the asked span. */
export function isWithin(
  at: number,
  span: { gt?: number; gte?: number; lt?: number; lte?: number },
): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = span;
  const instant = seconds(at);
  return instant > gt && instant >= gte && instant < lt && instant <= lte;
}
