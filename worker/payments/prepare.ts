import { attachFirstIntent, attachIntent, insertPayment } from "../../db/queries/payments/new-payments.ts";
import {
  loadPaymentInProgress,
  loadLastPaymentId,
  type PaymentRow,
} from "../../db/queries/payments/payments.ts";
import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import type { Config } from "../../durable/runtime/config.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { PricedOrder } from "./prices/prices.ts";
import type { RenewalConsent } from "../contract/money/payments.ts";
import {
  createCustomer,
  findOrMakeCustomer,
  storeMadeCustomer,
  type CardCheckoutContext,
  type CheckoutContext,
} from "./checkout.ts";
import { abandonWithoutIntent, publishChange, settleIntent } from "./settle-intent.ts";
import { settleWithoutCard } from "./settlement.ts";
import type { CardPayment } from "./card-payment.ts";
import type { CardProcessor } from "./stripe/card-processor.ts";
import { CardProcessorError } from "./stripe/responses.ts";

/** Other tabs of the same driver may win a round. */
const MAX_ROUNDS = 4;

/**
 * `ready`: the card form can be opened. `settled`: nothing is left to pay for this payment, which
 * may be an earlier one that turned out paid. `points_short`: the points are gone. `already_paid`: a
 * payment that the driver did not know of went through. `payment_processing`: another payment is with the
 * bank, which may still charge it. `busy`: other tabs won every round.
 */
export type PreparedIntent =
  | { kind: "ready"; payment: PaymentRow; clientSecret: string }
  | { kind: "settled"; payment: PaymentRow }
  | { kind: "points_short" }
  | { kind: "already_paid" }
  | { kind: "payment_processing" }
  | { kind: "busy" };

/** The order, and the latest payment that the driver knew of. */
export type PrepareRequest = {
  driver: DriverRecord;
  order: PricedOrder;
  knownPaymentId: string | null;
  /** The driver's consent to a charge when service ends; null for nothing, which is the default. */
  renewal: RenewalConsent | null;
  /** The driver lets the card processor keep the card for payments that they make. */
  savesCard: boolean;
  /** The driver's payment in progress and customer, as they were just read; left out, they are read first. */
  known?: { current: PaymentRow | null; customerId: string | null };
};

/**
 * Prepares the one payment that a driver can have in progress. The same price and consent give the same payment and
 * the same intent; any other abandons the former, at the card processor first. The card's later use is changed on the
 * intent.
 * @throws {CardProcessorError} `unreachable`: repeating it is safe
 */
export async function prepareIntent(
  checkout: CheckoutContext,
  request: PrepareRequest,
): Promise<PreparedIntent> {
  const driverId = request.driver.row.id;
  const { known: _known, ...again } = request;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    // The reads made ahead hold for the first round alone.
    const asked: PrepareRequest = round === 0 ? request : again;
    const current = asked.known ? asked.known.current : await loadPaymentInProgress(checkout.db, driverId);
    const isLast = round === MAX_ROUNDS - 1;
    // Without a round to put another payment in its place, the former stays payable.
    if (isLast && current && !isSameRequest(current, request)) break;
    const next = current
      ? isSameRequest(current, request)
        ? await resumePayment(checkout, current, asked)
        : await cancelPayment(checkout, current)
      : await startPayment(checkout, asked);
    if (next !== "again") return next;
  }
  return { kind: "busy" };
}

async function startPayment(
  checkout: CheckoutContext,
  request: PrepareRequest,
): Promise<PreparedIntent | "again"> {
  const { driver, order, knownPaymentId, renewal } = request;
  const { now, config } = checkout.deps;
  const payment: PaymentRow = {
    ...toPaymentRow(order, { driverId: driver.row.id, now: now(), tax: config.tax }),
    renewalCapCents: renewal?.capCents ?? null,
    renewalWords: renewal?.words ?? null,
  };
  const settlement = payment.totalCents === 0 ? settleWithoutCard(payment, payment.createdAt) : null;
  if (!(await insertPayment(checkout.db, payment, { settlement, knownPaymentId }))) {
    const { driverId } = payment;
    if (await loadPaymentInProgress(checkout.db, driverId)) return "again";
    const isOutdated = (await loadLastPaymentId(checkout.db, driverId)) !== knownPaymentId;
    return { kind: isOutdated ? "already_paid" : "points_short" };
  }
  if (!settlement) return resumePayment(checkout, payment, request);
  await publishChange(checkout, payment, settlement);
  return { kind: "settled", payment: { ...payment, status: "settled", settledAt: payment.createdAt } };
}

/** Continues a payment: creates its intent, or fetches it. */
async function resumePayment(
  checkout: CheckoutContext,
  payment: PaymentRow,
  request: PrepareRequest,
): Promise<PreparedIntent | "again"> {
  const cards = requireCards(checkout);
  if (payment.intentId === null) return createIntent({ ...checkout, cards }, payment, request);
  const settled = await settleIntent({ ...checkout, cards }, payment.intentId);
  if (!settled) return { kind: "busy" };
  if (settled.payment.settledAt !== null) return { kind: "settled", payment: settled.payment };
  if (settled.payment.status === "abandoned") return "again";
  const { status, clientSecret } = settled.card;
  if (status === "processing") return { kind: "payment_processing" };
  if (clientSecret === null) return { kind: "busy" };
  await agreeOnUsage(cards, settled.card, request);
  return { kind: "ready", payment: settled.payment, clientSecret };
}

/** The driver wants something else: cancels the payment in progress, unless it was paid meanwhile. */
async function cancelPayment(
  checkout: CheckoutContext,
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
  if (settled && settled.payment.settledAt !== null) return { kind: "settled", payment: settled.payment };
  return { kind: settled?.card.status === "processing" ? "payment_processing" : "busy" };
}

async function createIntent(
  checkout: CardCheckoutContext,
  payment: PaymentRow,
  request: PrepareRequest,
): Promise<PreparedIntent | "again"> {
  const { cards, db } = checkout;
  const { driver } = request;
  try {
    // The payment's key, not the driver's: a failure that is stored under it ends with that payment.
    const known = request.known?.customerId;
    const { customerId, isStored } = await findOrMakeCustomer(
      checkout,
      driver,
      `customer:${payment.id}`,
      known,
    );
    const keepCustomer = async () => {
      if (!isStored) await storeMadeCustomer(checkout, driver, customerId);
    };
    const details = { customerId, language: driver.row.language, receiptEmail: driver.row.flexEmail };
    const intent = await cards.createIntent(payment, details).catch(async (error: unknown) => {
      // With no intent to be stored with, or nobody would know of it.
      await keepCustomer();
      throw error;
    });
    const { intentId, clientSecret } = intent;
    if (clientSecret === null) {
      await keepCustomer();
      return { kind: "busy" };
    }
    const attached = isStored
      ? await attachIntent(db, payment, intentId)
      : await attachFirstIntent(db, payment, { intentId, customerId });
    if (attached === true || attached === "attached") {
      await agreeOnUsage(cards, intent, request);
      return { kind: "ready", payment: { ...payment, intentId }, clientSecret };
    }
    // Another tab abandoned this payment in the meantime, or stored another customer; its secret is shown to nobody.
    await cards.cancelIntent(intentId);
    if (attached === "other_customer") {
      await abandonWithoutIntent(checkout, payment);
      await cards.deleteCustomer(customerId);
    }
    return "again";
  } catch (error) {
    if (!(error instanceof CardProcessorError)) throw error;
    if (error.kind === "unreachable" && !error.isReplayed) throw error;
    // These idempotency keys always get the same response: the next try needs another payment.
    await abandonWithoutIntent(checkout, payment);
    if (error.missing !== "customer") throw error;
    await createCustomer(checkout, driver, `customer:again:${payment.id}`);
    return "again";
  }
}

/** Changes what the card is kept for, if the driver wants something else by now: a try with another choice may have failed. */
async function agreeOnUsage(
  cards: CardProcessor,
  { intentId, usage }: CardPayment,
  { renewal, savesCard }: PrepareRequest,
): Promise<void> {
  const wanted = renewal ? "off_session" : savesCard ? "on_session" : null;
  if (usage !== wanted) await cards.setMethodUsage(intentId, wanted);
}

/** @throws {CardProcessorError} `refused` where the keys were removed while a payment was in progress */
function requireCards({ cards }: CheckoutContext): CardProcessor {
  if (!cards) throw new CardProcessorError("refused");
  return cards;
}

function isSameRequest(payment: PaymentRow, { order, renewal }: PrepareRequest): boolean {
  return (
    payment.plan === order.plan &&
    // Also tells intents from before prices had rows, which take other methods than the card form offers.
    payment.priceId === order.priceId &&
    payment.discountId === order.discountId &&
    payment.points === order.points &&
    payment.totalCents === order.totalCents &&
    payment.renewalOf === null &&
    payment.renewalCapCents === (renewal?.capCents ?? null) &&
    payment.renewalWords === (renewal?.words ?? null) &&
    payment.currency === order.currency
  );
}

/** The row of an order that is about to be paid. */
export function toPaymentRow(
  order: PricedOrder,
  { driverId, now, tax }: { driverId: DriverId; now: EpochMs; tax: Config["tax"] },
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
    processingAt: null,
    receiptNumber: null,
    taxName: tax?.name ?? null,
    taxMillionths: tax?.millionths ?? null,
    method: null,
    methodBrand: null,
    methodLast4: null,
    orphanedAt: null,
    methodId: null,
    renewalCapCents: null,
    renewalWords: null,
    renewalOf: null,
    processorFeeCents: null,
    methodFingerprint: null,
  };
}
