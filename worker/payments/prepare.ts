import { attachIntent, insertPayment } from "../../db/queries/payment-changes.ts";
import {
  loadPaymentInProgress,
  loadLastPaymentId,
  loadCustomerId,
  saveCustomerId,
  type PaymentRow,
} from "../../db/queries/payments.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { PriceBreakdown } from "./prices.ts";
import { abandonWithoutIntent, publishChange, settleIntent } from "./settle-intent.ts";
import { settleWithoutCard } from "./settlement.ts";
import type { CardProcessor } from "./stripe.ts";
import { CardProcessorError } from "./stripe-responses.ts";
import type { CardCheckoutContext, CheckoutContext } from "./checkout.ts";

/** Other tabs of the same driver may win a round; they can't win all. */
const MAX_ROUNDS = 4;

/**
 * `ready`: the card form can be opened. `settled`: nothing is left to pay for this payment, which
 * may be an earlier one that turned out paid. `points_short`: the points are gone. `already_paid`: a
 * payment that the driver did not know of went through. `busy`: another
 * payment is on its way through the bank, or other tabs keep at it.
 */
export type PrepareResult =
  | { kind: "ready"; payment: PaymentRow; clientSecret: string }
  | { kind: "settled"; payment: PaymentRow }
  | { kind: "points_short" }
  | { kind: "already_paid" }
  | { kind: "busy" };

/** What is to be paid. `lastKnown` is the latest payment that the driver knew of. */
export type PrepareRequest = {
  driverId: DriverId;
  breakdown: PriceBreakdown;
  currency: string;
  knownPaymentId: string | null;
};

/**
 * Prepares the one payment that a driver has under way. The same price gives the same payment and
 * the same intent; another gives the former up, at the card processor first.
 * @throws {CardProcessorError} `unreachable`: repeating it is safe
 */
export async function prepareIntent(
  checkout: CheckoutContext,
  { driverId, breakdown, currency, knownPaymentId }: PrepareRequest,
): Promise<PrepareResult> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const current = await loadPaymentInProgress(checkout.db, driverId);
    const next = current
      ? hasSamePrice(current, breakdown, currency)
        ? await resumePayment(checkout, current)
        : await cancelPayment(checkout, current)
      : await startPayment(
          checkout,
          toPaymentRow({ driverId, breakdown, currency, now: checkout.deps.now() }),
          knownPaymentId,
        );
    if (next !== "again") return next;
  }
  return { kind: "busy" };
}

async function startPayment(
  checkout: CheckoutContext,
  payment: PaymentRow,
  knownPaymentId: PrepareRequest["knownPaymentId"],
): Promise<PrepareResult | "again"> {
  const settlement = payment.totalCents === 0 ? settleWithoutCard(payment, payment.createdAt) : null;
  if (!(await insertPayment(checkout.db, payment, { settlement, lastKnown: knownPaymentId }))) {
    const { driverId } = payment;
    if (await loadPaymentInProgress(checkout.db, driverId)) return "again";
    const isOutdated = (await loadLastPaymentId(checkout.db, driverId)) !== knownPaymentId;
    return { kind: isOutdated ? "already_paid" : "points_short" };
  }
  if (!settlement) return resumePayment(checkout, payment);
  await publishChange(checkout, payment, settlement);
  return { kind: "settled", payment: { ...payment, status: "settled", settledAt: payment.createdAt } };
}

/** Goes on with a payment: its intent is made, or looked at. */
async function resumePayment(
  checkout: CheckoutContext,
  payment: PaymentRow,
): Promise<PrepareResult | "again"> {
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

/** Another price is wanted: what was under way is canceled, unless it was paid meanwhile. */
async function cancelPayment(
  checkout: CheckoutContext,
  payment: PaymentRow,
): Promise<PrepareResult | "again"> {
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
  checkout: CardCheckoutContext,
  payment: PaymentRow,
): Promise<PrepareResult | "again"> {
  const { cards, db } = checkout;
  try {
    const { intentId, clientSecret } = await cards.createIntent(
      payment,
      await loadOrCreateCustomer(checkout, payment),
    );
    if (clientSecret === null) return { kind: "busy" };
    if (await attachIntent(db, payment, intentId)) {
      return { kind: "ready", payment: { ...payment, intentId }, clientSecret };
    }
    // Another tab gave this payment up in the meantime; its secret is shown to nobody.
    await cards.cancelIntent(intentId);
    return "again";
  } catch (error) {
    if (!(error instanceof CardProcessorError)) throw error;
    if (error.kind === "unreachable" && !error.isReplayed) throw error;
    // Under this key the answer will always be the same: the next try begins another payment.
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

/** @throws {CardProcessorError} `refused` where the keys were taken away while a payment was under way */
function requireCards({ cards }: CheckoutContext): CardProcessor {
  if (!cards) throw new CardProcessorError("refused");
  return cards;
}

function hasSamePrice(payment: PaymentRow, breakdown: PriceBreakdown, currency: string): boolean {
  return (
    payment.plan === breakdown.plan &&
    payment.discountId === (breakdown.discount?.id ?? null) &&
    payment.points === breakdown.points &&
    payment.totalCents === breakdown.totalCents &&
    payment.currency === currency
  );
}

function toPaymentRow({
  driverId,
  breakdown,
  currency,
  now,
}: {
  driverId: DriverId;
  breakdown: PriceBreakdown;
  currency: string;
  now: number;
}): PaymentRow {
  const { discount, ...figures } = breakdown;
  return {
    id: crypto.randomUUID(),
    driverId,
    intentId: null,
    status: "open",
    currency,
    ...figures,
    discountId: discount?.id ?? null,
    discountKind: discount?.kind ?? null,
    discountEndsAt: discount?.endsAt ?? null,
    refundedCents: 0,
    receiptUrl: null,
    createdAt: now,
    settledAt: null,
    revision: 1,
  };
}
