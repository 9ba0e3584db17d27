import { attachIntent, insertPayment } from "../../db/queries/payment-changes.ts";
import {
  loadPaymentInProgress,
  loadLastPaymentId,
  loadCustomerId,
  saveCustomerId,
  type PaymentRow,
} from "../../db/queries/payments.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { PricedOrder } from "./prices.ts";
import { abandonWithoutIntent, publishChange, settleIntent } from "./settle-intent.ts";
import { settleWithoutCard } from "./settlement.ts";
import type { CardProcessor } from "./stripe.ts";
import { CardProcessorError } from "./stripe-responses.ts";
import type { CardCheckoutContext, CheckoutContext, DriverCheckoutContext } from "./checkout.ts";

/** Other tabs of the same driver may win a round; they can't win all of them. */
const MAX_ROUNDS = 4;

/**
 * `ready`: the card form can be opened. `settled`: nothing is left to pay for this payment, which
 * may be an earlier one that turned out paid. `points_short`: the points are gone. `already_paid`: a
 * payment that the driver did not know of went through. `busy`: another payment is with the bank, or
 * other tabs won every round.
 */
export type PreparedIntent =
  | { kind: "ready"; payment: PaymentRow; clientSecret: string }
  | { kind: "settled"; payment: PaymentRow }
  | { kind: "points_short" }
  | { kind: "already_paid" }
  | { kind: "busy" };

/** What is to be paid, and the latest payment that the driver knew of. */
export type PrepareRequest = {
  driverId: DriverId;
  order: PricedOrder;
  knownPaymentId: string | null;
};

/**
 * Prepares the one payment that a driver can have in progress. The same price gives the same payment and
 * the same intent; another price abandons the former, at the card processor first.
 * @throws {CardProcessorError} `unreachable`: repeating it is safe
 */
export async function prepareIntent(
  checkout: DriverCheckoutContext,
  { driverId, order, knownPaymentId }: PrepareRequest,
): Promise<PreparedIntent> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const current = await loadPaymentInProgress(checkout.db, driverId);
    const next = current
      ? hasSamePrice(current, order)
        ? await resumePayment(checkout, current)
        : await cancelPayment(checkout, current)
      : await startPayment(
          checkout,
          toPaymentRow(order, { driverId, now: checkout.deps.now() }),
          knownPaymentId,
        );
    if (next !== "again") return next;
  }
  return { kind: "busy" };
}

async function startPayment(
  checkout: DriverCheckoutContext,
  payment: PaymentRow,
  knownPaymentId: PrepareRequest["knownPaymentId"],
): Promise<PreparedIntent | "again"> {
  const settlement = payment.totalCents === 0 ? settleWithoutCard(payment, payment.createdAt) : null;
  if (!(await insertPayment(checkout.db, payment, { settlement, knownPaymentId }))) {
    const { driverId } = payment;
    if (await loadPaymentInProgress(checkout.db, driverId)) return "again";
    const isOutdated = (await loadLastPaymentId(checkout.db, driverId)) !== knownPaymentId;
    return { kind: isOutdated ? "already_paid" : "points_short" };
  }
  if (!settlement) return resumePayment(checkout, payment);
  await publishChange(checkout, payment, settlement);
  return { kind: "settled", payment: { ...payment, status: "settled", settledAt: payment.createdAt } };
}

/** Continues a payment: creates its intent, or fetches it. */
async function resumePayment(
  checkout: DriverCheckoutContext,
  payment: PaymentRow,
): Promise<PreparedIntent | "again"> {
  const cards = requireCards(checkout);
  if (payment.intentId === null) return createIntent({ ...checkout, cards }, payment);
  const settled = await settleIntent({ ...checkout, cards }, payment.intentId);
  if (!settled) return { kind: "busy" };
  if (settled.payment.settledAt !== null) return { kind: "settled", payment: settled.payment };
  if (settled.payment.status === "abandoned") return "again";
  const { status, clientSecret } = settled.card;
  if (status !== "open" || clientSecret === null) return { kind: "busy" };
  return { kind: "ready", payment: settled.payment, clientSecret };
}

/** The driver wants another price: cancels the payment in progress, unless it was paid meanwhile. */
async function cancelPayment(
  checkout: DriverCheckoutContext,
  payment: PaymentRow,
): Promise<PreparedIntent | "again"> {
  if (payment.intentId === null) {
    await abandonWithoutIntent(checkout, payment);
    return "again";
  }
  const cards = requireCards(checkout);
  await cards.cancelIntent(payment.intentId);
  const settled = await settleIntent({ ...checkout, cards }, payment.intentId);
  if (settled?.payment.status === "abandoned") return "again";
  return settled && settled.payment.settledAt !== null
    ? { kind: "settled", payment: settled.payment }
    : { kind: "busy" };
}

async function createIntent(
  checkout: CardCheckoutContext & DriverCheckoutContext,
  payment: PaymentRow,
): Promise<PreparedIntent | "again"> {
  const { cards, db, language } = checkout;
  try {
    const customerId = await loadOrCreateCustomer(checkout, payment);
    const { intentId, clientSecret } = await cards.createIntent(payment, { customerId, language });
    if (clientSecret === null) return { kind: "busy" };
    if (await attachIntent(db, payment, intentId)) {
      return { kind: "ready", payment: { ...payment, intentId }, clientSecret };
    }
    // Another tab abandoned this payment in the meantime; its secret is shown to nobody.
    await cards.cancelIntent(intentId);
    return "again";
  } catch (error) {
    if (!(error instanceof CardProcessorError)) throw error;
    if (error.kind === "unreachable" && !error.isReplayed) throw error;
    // This idempotency key always gets the same response: the next try needs another payment.
    await abandonWithoutIntent(checkout, payment);
    if (error.missing !== "customer") throw error;
    await createCustomer(checkout, payment, `customer:${payment.id}`);
    return "again";
  }
}

async function loadOrCreateCustomer(checkout: CardCheckoutContext, payment: PaymentRow): Promise<string> {
  const known = await loadCustomerId(checkout.db, payment.driverId);
  return known ?? createCustomer(checkout, payment, `customer:${payment.driverId}`);
}

async function createCustomer(
  { cards, db }: CardCheckoutContext,
  { driverId }: PaymentRow,
  key: string,
): Promise<string> {
  const customerId = await cards.createCustomer(driverId, key);
  await saveCustomerId(db, driverId, customerId);
  return customerId;
}

/** @throws {CardProcessorError} `refused` where the keys were removed while a payment was in progress */
function requireCards({ cards }: CheckoutContext): CardProcessor {
  if (!cards) throw new CardProcessorError("refused");
  return cards;
}

function hasSamePrice(payment: PaymentRow, order: PricedOrder): boolean {
  return (
    payment.plan === order.plan &&
    payment.discountId === order.discountId &&
    payment.points === order.points &&
    payment.totalCents === order.totalCents &&
    payment.currency === order.currency
  );
}

function toPaymentRow(
  order: PricedOrder,
  { driverId, now }: { driverId: DriverId; now: EpochMs },
): PaymentRow {
  return {
    ...order,
    id: crypto.randomUUID(),
    driverId,
    intentId: null,
    status: "open",
    refundedCents: 0,
    receiptUrl: null,
    createdAt: now,
    settledAt: null,
    revision: 1,
  };
}
