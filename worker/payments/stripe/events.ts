import {
  deletePendingEvent,
  listDueEvents,
  postponePendingEvent,
  type PendingStripeEvent,
  isStripeEventKnown,
} from "../../../db/queries/payments/stripe-events.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { type CardCheckoutContext, loadPause } from "../checkout.ts";
import { settleIntent } from "../settle-intent.ts";
import { CardProcessorError, describePaymentError } from "./responses.ts";

/** When an event is handled again that was not, or whose handling was cut off. */
export const FIRST_RETRY_MS = MINUTE_MS;
const MAX_RETRY_MS = HOUR_MS;
const MAX_TRIES = 78;
const BATCH_SIZE = 50;

/** Handles an event that is noted as pending. Never throws: a failure is repeated by the watchdog. */
export async function handleEvent(checkout: CardCheckoutContext, event: PendingStripeEvent): Promise<void> {
  const { db, deps } = checkout;
  const isFailure = event.type === "payment_intent.payment_failed";
  try {
    // A known decline may have left its intent open: the close is no part of what was stored.
    if (isFailure || !(await isStripeEventKnown(db, event.id))) {
      // A warning names its charge, and the intent only where Stripe has it at hand.
      const intentId = isCharge(event.intentId)
        ? await checkout.cards.findIntentOfCharge(event.intentId)
        : event.intentId;
      const settled =
        intentId === null ? null : await settleIntent(checkout, intentId, { ...event, intentId });
      const isDecline = isFailure && settled?.payment.status === "open";
      if (isDecline && (await loadPause(db, settled.payment.driverId, deps.now()))) {
        // With its secret, cards could be tried on it for as long as it stays open.
        await checkout.cards.cancelIntent(event.intentId);
        await settleIntent(checkout, event.intentId);
      }
    }
    await deletePendingEvent(db, event.id);
  } catch (error) {
    deps.log("warn", "payments.event.failed", { type: event.type, ...describePaymentError(error) });
    const isUnknownThere = error instanceof CardProcessorError && error.missing !== null;
    // After so many tries the hourly reconciliation has looked for three days.
    if (isUnknownThere || event.tries >= MAX_TRIES) {
      await deletePendingEvent(db, event.id);
      return;
    }
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** event.tries, MAX_RETRY_MS);
    await postponePendingEvent(db, event, deps.now() + waitMs);
  }
}

function isCharge(id: string): boolean {
  return id.startsWith("ch_") || id.startsWith("py_");
}

/** Every minute: the events whose handling failed or was cut off. */
export async function handleDueEvents(checkout: CardCheckoutContext): Promise<void> {
  const events = await listDueEvents(checkout.db, { now: checkout.deps.now(), limit: BATCH_SIZE });
  for (const event of events) await handleEvent(checkout, event);
}
