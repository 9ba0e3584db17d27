import { attachIntent, insertPayment } from "../../../db/queries/payments/new-payments.ts";
import {
  loadCustomerId,
  loadPayment,
  loadPaymentInProgress,
  type PaymentRow,
} from "../../../db/queries/payments/payments.ts";
import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { loadRenewal, type RenewalRow } from "../../../db/queries/payments/renewals.ts";
import type { RenewalPause } from "../../../db/shapes/money/renewal.ts";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { CardCheckoutContext } from "../checkout.ts";
import { toPaymentRow } from "../prepare.ts";
import type { PricedOrder } from "../prices/prices.ts";
import { abandonWithoutIntent, settleIntent, type SettledIntent } from "../settle-intent.ts";
import { CardProcessorError } from "../stripe/responses.ts";

/** A driver who opened the card form may still be at it. */
const AT_FORM_MS = 30 * MINUTE_MS;

/** A renewal that is due, whose it is, the end of service that it is for, and the latest payment that counts in that. */
export type RenewalLook = {
  renewal: RenewalRow;
  driver: DriverRecord;
  serviceUntil: EpochMs;
  lastPaymentId: string | null;
};

/**
 * `busy`: another payment of the driver's is in progress, or just went through. `stopped`: the driver turned the
 * renewal off meanwhile.
 */
export type ChargedRenewal =
  | { kind: "paid" }
  | { kind: "busy" }
  | { kind: "stopped" }
  | { kind: "failed"; pause: RenewalPause };

type RenewalOrder = RenewalLook & { order: PricedOrder };

/**
 * Charges a renewal while the driver is away. One consent and one end of service are one payment, by its id: however
 * often this is called, and by however many callers at once, it is charged once. The processor tells the outcome, never
 * the response to the charge.
 * @throws {CardProcessorError} `unreachable`: repeating it is safe
 */
export async function chargeRenewal(
  checkout: CardCheckoutContext,
  request: RenewalOrder,
): Promise<ChargedRenewal> {
  const { db } = checkout;
  const { driverId } = request.renewal;
  // A dispute or a warning that no event told of counts too.
  await settleLastPayment(checkout, request);
  const payment = renewalPayment(checkout, request);
  const current = await loadPaymentInProgress(db, driverId);
  if (current?.id === payment.id) return resume(checkout, current, request);
  if (current && !(await clearForm(checkout, current))) return { kind: "busy" };
  const { renewal, lastPaymentId: knownPaymentId } = request;
  if (await insertPayment(db, payment, { settlement: null, knownPaymentId, renewal }))
    return resume(checkout, payment, request);
  const known = await loadPayment(db, { driverId, id: payment.id });
  if (known && isReturned(known)) return { kind: "failed", pause: "refunded" };
  if (known && known.settledAt !== null) return { kind: "paid" };
  // It was tried for this end of service, and did not go through.
  if (known?.status === "abandoned") return { kind: "failed", pause: "failed" };
  return (await isStillOn(checkout, request)) ? { kind: "busy" } : { kind: "stopped" };
}

/** The renewal for this end of service was paid and given back: it is not charged again. */
function isReturned({ status }: PaymentRow): boolean {
  return status === "refunded" || status === "dispute_lost";
}

async function settleLastPayment(
  checkout: CardCheckoutContext,
  { renewal: { driverId }, lastPaymentId }: RenewalOrder,
): Promise<void> {
  const last = lastPaymentId && (await loadPayment(checkout.db, { driverId, id: lastPaymentId }));
  if (last && last.intentId !== null) await settleIntent(checkout, last.intentId);
}

function renewalPayment(
  { deps }: CardCheckoutContext,
  { renewal, serviceUntil, order }: RenewalOrder,
): PaymentRow {
  const { driverId, consentId } = renewal;
  return {
    ...toPaymentRow(order, { driverId, now: deps.now(), tax: deps.config.tax }),
    id: `${consentId}-${serviceUntil.toString(36)}`,
    renewalOf: consentId,
  };
}

/** Calls off a payment that the driver began by hand and left. @returns false if it may still be paid */
async function clearForm(checkout: CardCheckoutContext, current: PaymentRow): Promise<boolean> {
  const { cards, deps } = checkout;
  if (current.status !== "open" || current.createdAt > deps.now() - AT_FORM_MS) return false;
  if (current.intentId === null) return abandonWithoutIntent(checkout, current);
  await cards.cancelIntent(current.intentId);
  return (await settleIntent(checkout, current.intentId))?.payment.status === "abandoned";
}

async function resume(
  checkout: CardCheckoutContext,
  payment: PaymentRow,
  request: RenewalOrder,
): Promise<ChargedRenewal> {
  const intentId = payment.intentId ?? (await createIntent(checkout, payment, request));
  if (intentId === null) return { kind: "failed", pause: "failed" };
  const before = await settleIntent(checkout, intentId);
  const known = toOutcome(before);
  if (known) return finish(checkout, intentId, known);
  if (!(await isStillOn(checkout, request))) {
    await checkout.cards.cancelIntent(intentId);
    await settleIntent(checkout, intentId);
    return { kind: "stopped" };
  }
  try {
    await checkout.cards.confirmWithoutDriver(intentId, request.renewal.methodId, `renew:${payment.id}`);
  } catch (error) {
    if (!(error instanceof CardProcessorError)) throw error;
    // The response stored under the key is repeated for a day, and nobody knows whether the bank was asked.
    if (error.kind === "unreachable" && !error.isReplayed) throw error;
  }
  const after = toOutcome(await settleIntent(checkout, intentId));
  return finish(checkout, intentId, after ?? { kind: "failed", pause: "failed" });
}

/** @returns null where the processor refuses, or the payment was called off meanwhile */
async function createIntent(
  checkout: CardCheckoutContext,
  payment: PaymentRow,
  { driver }: RenewalOrder,
): Promise<string | null> {
  const { cards, db } = checkout;
  const customerId = await loadCustomerId(db, payment.driverId);
  if (customerId === null) {
    await abandonWithoutIntent(checkout, payment);
    return null;
  }
  try {
    const { language, flexEmail: receiptEmail } = driver.row;
    const { intentId } = await cards.createIntent(payment, { customerId, language, receiptEmail });
    if (await attachIntent(db, payment, intentId)) return intentId;
    await cards.cancelIntent(intentId);
    return null;
  } catch (error) {
    if (!(error instanceof CardProcessorError)) throw error;
    if (error.kind === "unreachable" && !error.isReplayed) throw error;
    await abandonWithoutIntent(checkout, payment);
    return null;
  }
}

/** The outcome of the intent; null while it waits for its charge. */
function toOutcome(settled: SettledIntent | null): ChargedRenewal | null {
  if (!settled) return { kind: "failed", pause: "failed" };
  const { payment, card } = settled;
  if (payment.settledAt !== null) return { kind: "paid" };
  if (card.status === "processing") return { kind: "busy" };
  if (payment.status === "abandoned") return { kind: "failed", pause: "failed" };
  if (card.failure === null) return null;
  return { kind: "failed", pause: card.failure === "authentication_required" ? "needs_bank" : "declined" };
}

/** Calls off what failed, so that it can't be charged any more; it may have been paid in that moment. */
async function finish(
  checkout: CardCheckoutContext,
  intentId: string,
  outcome: ChargedRenewal,
): Promise<ChargedRenewal> {
  if (outcome.kind !== "failed") return outcome;
  await checkout.cards.cancelIntent(intentId);
  const settled = await settleIntent(checkout, intentId);
  if (settled && settled.payment.settledAt !== null) return { kind: "paid" };
  return settled?.card.status === "processing" ? { kind: "busy" } : outcome;
}

/**
 * Calls off what is being charged without the driver, if the bank still allows it.
 * @param current the driver's payment in progress
 */
export async function abandonRenewal(
  checkout: CardCheckoutContext,
  current: PaymentRow | null,
): Promise<"none" | "abandoned" | "paid"> {
  if (!current || current.renewalOf === null) return "none";
  if (current.intentId === null) {
    await abandonWithoutIntent(checkout, current);
    return "abandoned";
  }
  const ended = await finish(checkout, current.intentId, { kind: "failed", pause: "failed" });
  return ended.kind === "failed" ? "abandoned" : "paid";
}

async function isStillOn({ db }: CardCheckoutContext, { renewal }: RenewalOrder): Promise<boolean> {
  const stored = await loadRenewal(db, renewal.driverId);
  return stored?.status === "on" && stored.consentId === renewal.consentId;
}
