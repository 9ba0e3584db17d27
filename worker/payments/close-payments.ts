import { beginClosing, unmarkPayment } from "../../db/queries/payments/closing.ts";
import type { PaymentRow } from "../../db/queries/payments/payments.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { CheckoutContext } from "./checkout.ts";
import { recordRenewal } from "./renewals/record-renewal.ts";
import { abandonWithoutIntent, settleIntent } from "./settle-intent.ts";

/**
 * Ends what is in progress of a driver whose account is deleted: a payment that can be canceled is; one that the bank
 * has is marked, so that it is refunded if it is charged. The renewal is turned off, and the customer at the card
 * processor is deleted, with the saved cards. Safe to repeat.
 * @returns the customer; null if the driver had none
 * @throws {CardProcessorError} `unreachable`: nothing may be deleted yet, or the driver could still be charged
 */
export async function closePayments(
  checkout: CheckoutContext,
  driverId: DriverId,
): Promise<{ customerId: string | null }> {
  const { cards, db, deps } = checkout;
  await recordRenewal(deps, driverId, false);
  const { current, customerId } = await beginClosing(db, driverId, deps.now());
  if (current) await closePaymentInProgress(checkout, current);
  if (cards && customerId !== null) await cards.deleteCustomer(customerId);
  return { customerId };
}

/**
 * The same for an account that is still there, and stays where this fails: a payment that the bank has is the driver's then.
 * @throws {CardProcessorError} `unreachable`: nothing may be deleted yet
 */
export async function closePaymentsFirst(
  checkout: CheckoutContext,
  driverId: DriverId,
): ReturnType<typeof closePayments> {
  try {
    return await closePayments(checkout, driverId);
  } catch (error) {
    await unmarkPayment(checkout.db, driverId);
    throw error;
  }
}

async function closePaymentInProgress(checkout: CheckoutContext, payment: PaymentRow): Promise<void> {
  const { cards } = checkout;
  const { intentId } = payment;
  if (intentId === null) {
    await abandonWithoutIntent(checkout, payment);
    return;
  }
  if (!cards) return;
  await cards.cancelIntent(intentId);
  await settleIntent({ ...checkout, cards }, intentId);
}
