import { orphanPayment } from "../../db/queries/payments/new-payments.ts";
import { loadCustomerId, type PaymentRow } from "../../db/queries/payments/payments.ts";
import { turnRenewalOff } from "../../db/queries/payments/renewals.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { CheckoutContext } from "./checkout.ts";
import { recordRenewal } from "./renewals/record-renewal.ts";
import { abandonWithoutIntent, settleIntent } from "./settle-intent.ts";

/**
 * Ends what is in progress of a driver whose account is deleted: a payment that can be canceled is; one that the bank
 * has is marked, so that it is refunded if it is charged. The renewal is turned off, and the customer at the card
 * processor is deleted, with the saved cards. Safe to repeat.
 * @throws {CardProcessorError} `unreachable`: nothing may be deleted yet, or the driver could still be charged
 */
export async function closePayments(checkout: CheckoutContext, driverId: DriverId): Promise<void> {
  const { cards, db, deps } = checkout;
  await recordRenewal(deps, driverId, false);
  const [{ current }, customerId] = await Promise.all([
    turnRenewalOff(db, driverId, deps.now()),
    loadCustomerId(db, driverId),
  ]);
  if (current) await closePaymentInProgress(checkout, current);
  if (cards && customerId !== null) await cards.deleteCustomer(customerId);
}

async function closePaymentInProgress(checkout: CheckoutContext, payment: PaymentRow): Promise<void> {
  const { cards, db, deps } = checkout;
  const { intentId } = payment;
  if (intentId === null) {
    await abandonWithoutIntent(checkout, payment);
    return;
  }
  await orphanPayment(db, payment, deps.now());
  if (!cards) return;
  await cards.cancelIntent(intentId);
  await settleIntent({ ...checkout, cards }, intentId);
}
