import { methodOf, saveIntent, type Act } from "./act.ts";
import { openDispute } from "./disputes.ts";
import { emit } from "./events.ts";
import { saveMethod } from "./methods.ts";
import { StripeRefusal } from "./refusal.ts";
import type { Charge, Decline, Intent, Problem } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { chargeView } from "./views/charges.ts";
import { intentView } from "./views/intents.ts";
import { methodView } from "./views/methods.ts";

/**
 * Charges the card, and keeps it for its customer on request.
 * @throws {StripeRefusal} card_error with the intent, if the card is declined
 */
export function chargeIntent(
  act: Act,
  intent: Intent,
  { threeDSecure = false, decline = null }: { threeDSecure?: boolean; decline?: Decline | null } = {},
): Intent {
  const { state } = act;
  const method = methodOf(state, intent.methodId ?? "");
  const charge = addCharge(act, intent, decline ?? method.play.decline, threeDSecure);
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
  const { customer, setupFutureUsage } = intent;
  if (customer !== null && setupFutureUsage !== null)
    saveMethod(act, method, { customer, setUp: setupFutureUsage === "off_session" });
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
  if (method.play.dispute) openDispute(act, booked, { reason: method.play.dispute });
  return paid;
}

export function addCharge(act: Act, intent: Intent, decline: Decline | null, threeDSecure: boolean): Charge {
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

export function declineProblem(decline: Decline, charge: Charge): Problem {
  const { code, declineCode, message } = decline;
  return { type: "card_error", code, declineCode, message, charge: charge.id, methodId: charge.methodId };
}

/** Detaches the card, so that another can be tried; the failed charge stays. */
export function failIntent(act: Act, intent: Intent, problem: Problem): Intent {
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
