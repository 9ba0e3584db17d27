import type { UserRow } from "../../../db/queries/accounts/drivers.ts";
import type { PaymentRow } from "../../../db/queries/payments/payments.ts";
import type { Language } from "../../../db/shapes/language.ts";
import type { Cents, EpochMs, Period } from "../../../db/shapes/units.ts";
import type { CardPayment, MethodUsage } from "../card-payment.ts";
import type { StripeBooks } from "../books/stripe-books.ts";
import type { SignedEvent, StoredCard } from "./responses.ts";
import { PLAN_DAYS } from "../../../db/shapes/money/plans.ts";

/** The customer of an intent, their language, and where Stripe sends its own receipt; null to nowhere. */
type IntentDetails = { customerId: string; language: Language; receiptEmail: string | null };

/** The card processor. Every method throws `CardProcessorError`. */
export type CardProcessor = {
  /** Creates a customer, once per key: with name and phone, for whoever answers the driver's questions. */
  createCustomer(driver: Pick<UserRow, "id" | "name" | "phoneNumber">, key: string): Promise<string>;
  /** Deletes a customer, with name, phone and saved cards; one that is gone already is fine. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Creates the intent of a payment, under the payment's own idempotency key, described in the driver's language. */
  createIntent(payment: PaymentRow, details: IntentDetails): Promise<CardPayment>;
  /** Changes what the method of an intent is kept for; the card form must be told the same. */
  setMethodUsage(intentId: string, usage: MethodUsage | null): Promise<void>;
  /**
   * Charges an intent to a saved card while the driver is away, once per key.
   * @throws {CardProcessorError} `refused` where the card is declined or the bank asks for the driver
   */
  confirmWithoutDriver(intentId: string, methodId: string, key: string): Promise<void>;
  /** A session for the card form: with saved cards, which can be removed. */
  openCustomerSession(customerId: string): Promise<string>;
  /** A customer's kept methods, the latest first. */
  listSavedCards(customerId: string): Promise<StoredCard[]>;
  /** Removes a saved card; one that is gone already is fine. */
  removeSavedCard(cardId: string): Promise<void>;
  /**
   * Gives money of an intent back, once per key: all of it, or so many cents. With `isGoodwill` the driver keeps days
   * and points.
   */
  refundIntent(
    intentId: string,
    key: string,
    part?: { cents: Cents; isGoodwill: boolean; actId: string },
  ): Promise<void>;
  /** Whether money of an intent was given back for an operator's act. */
  hasRefund(intentId: string, actId: string): Promise<boolean>;
  /** Checks that Stripe takes our secret key. */
  checkKey(): Promise<void>;
  /** The intent with its charge, refunds and disputes. */
  fetchIntent(intentId: string): Promise<CardPayment>;
  /** The intent that made a charge; null for a charge of none. */
  findIntentOfCharge(chargeId: string): Promise<string | null>;
  /** Cancels an intent if that is still possible; `fetchIntent` says what became of it. */
  cancelIntent(intentId: string): Promise<void>;
  /** Intents that succeeded since an instant, and those whose refunds, disputes or warnings changed since; each once. */
  listChangedIntents(since: EpochMs): Promise<{ succeeded: string[]; refunded: string[] }>;
  /** Stripe's payments that were begun in a span. */
  fetchBooks(span: Period): Promise<StripeBooks>;
  /** The event, if one of our secrets signed these bytes within five minutes; else null. */
  verifyEvent(body: string, signature: string): Promise<SignedEvent | null>;
};

/** An intent's metadata, so that the books can be rebuilt from Stripe alone. Money in cents of the intent's currency. */
export function toIntentMetadata(payment: PaymentRow): Record<string, string> {
  const { id, driverId, plan, priceId, discountId, taxName, taxMillionths } = payment;
  return {
    payment_id: id,
    driver_id: driverId,
    plan,
    days: String(PLAN_DAYS[plan]),
    price_cents: String(payment.priceCents),
    discount_cents: String(payment.discountCents),
    points: String(payment.points),
    points_cents: String(payment.pointsCents),
    fee_cents: String(payment.feeCents),
    ...(priceId !== null && { price_id: priceId }),
    ...(discountId !== null && { discount_id: discountId }),
    ...(taxName !== null &&
      taxMillionths !== null && { tax: taxName, tax_millionths: String(taxMillionths) }),
  };
}
