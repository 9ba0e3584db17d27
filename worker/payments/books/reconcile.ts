import {
  listPaymentsToReconcile,
  loadIntents,
  type PaymentRow,
} from "../../../db/queries/payments/payments.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { abandonWithoutIntent, settleIntent } from "../settle-intent.ts";
import type { CardCheckoutContext, CheckoutContext } from "../checkout.ts";
import { describePaymentError } from "../stripe/responses.ts";

/** A driver may still be at the card form. */
const CHECKOUT_GRACE_MS = 10 * MINUTE_MS;
/** Nobody returns to a form after this long. */
const ABANDON_AFTER_MS = DAY_MS;
/** As long as webhooks are repeated. */
const LOOKBACK_MS = 3 * DAY_MS;
const BATCH_SIZE = 200;
/** The most payments whose fee a run asks for. A restricted key never learns one. */
const FEE_BATCH_SIZE = 50;

/**
 * Every hour: settles payments in progress, abandons those that nobody will pay, and finds what
 * happened at the card processor without a webhook reaching us. One failure does not stop the others.
 */
export async function reconcilePayments(checkout: CardCheckoutContext): Promise<void> {
  const { db, deps, cards } = checkout;
  const now = deps.now();
  for (const payment of await listPaymentsToReconcile(db, {
    before: now - CHECKOUT_GRACE_MS,
    limit: BATCH_SIZE,
  })) {
    await runOrLog(checkout, payment.id, () => reconcilePayment(checkout, payment));
  }
  const { succeeded, refunded } = await cards.listChangedIntents(now - LOOKBACK_MS);
  const intents = [...new Set([...succeeded, ...refunded])];
  const known = await loadIntents(db, intents);
  const settled = new Set(known.filter(({ isSettled }) => isSettled).map(({ intentId }) => intentId));
  const withFee = new Set(known.filter(({ isFeeKnown }) => isFeeKnown).map(({ intentId }) => intentId));
  // The card processor books a charge only after it said that it is paid, and sends no event that we know of that.
  const unbooked = intents.filter((id) => settled.has(id) && !withFee.has(id)).slice(0, FEE_BATCH_SIZE);
  const changed = new Set([...refunded, ...unbooked]);
  // An unknown intent may be a payment's second, or money without a payment: settling it raises an alert.
  for (const intentId of intents) {
    if (settled.has(intentId) && !changed.has(intentId)) continue;
    await runOrLog(checkout, intentId, () => settleIntent(checkout, intentId));
  }
}

async function reconcilePayment(checkout: CardCheckoutContext, payment: PaymentRow): Promise<void> {
  const isStale = payment.createdAt < checkout.deps.now() - ABANDON_AFTER_MS;
  if (payment.intentId === null) {
    if (isStale) await abandonWithoutIntent(checkout, payment);
    return;
  }
  const settled = await settleIntent(checkout, payment.intentId);
  if (!isStale || settled?.payment.status !== "open") return;
  await checkout.cards.cancelIntent(payment.intentId);
  await settleIntent(checkout, payment.intentId);
}

async function runOrLog(
  { deps }: CheckoutContext,
  subject: string,
  task: () => Promise<unknown>,
): Promise<void> {
  try {
    await task();
  } catch (error) {
    deps.log("warn", "payments.reconcile.failed", { what: subject, ...describePaymentError(error) });
  }
}
