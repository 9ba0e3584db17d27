import * as z from "zod/mini";
import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { listPaymentRefunds, loadPayment } from "../../db/queries/payments/payments.ts";
import { PLAN_DAYS } from "../../db/shapes/money/plans.ts";
import { receipt, type Receipt } from "../contract/money/payments.ts";
import type { CheckoutContext } from "./checkout.ts";

/** The receipt of a driver's own payment; null where it is another's, or nothing was paid. */
export async function loadReceipt(
  { db, deps }: Pick<CheckoutContext, "db" | "deps">,
  { row: driver }: Pick<DriverRecord, "row">,
  paymentId: string,
): Promise<Receipt | null> {
  const payment = await loadPayment(db, { driverId: driver.id, id: paymentId });
  if (!payment || payment.settledAt === null || payment.receiptNumber === null) return null;
  const { taxName, taxMillionths, method } = payment;
  const refunds = await listPaymentRefunds(db, paymentId);
  return z.parse(receipt, {
    ...payment,
    paymentId,
    number: payment.receiptNumber,
    seller: deps.config.seller,
    driverName: driver.name,
    paidAt: payment.settledAt,
    days: PLAN_DAYS[payment.plan],
    tax:
      taxName === null || taxMillionths === null
        ? null
        : { name: taxName, millionths: taxMillionths, cents: includedTax(payment.totalCents, taxMillionths) },
    method: method === null ? null : { type: method, brand: payment.methodBrand, last4: payment.methodLast4 },
    refunds: refunds.filter(({ isEffective }) => isEffective),
  } satisfies Receipt);
}

/** The tax that a total includes, rounded half up. */
export function includedTax(totalCents: number, millionths: number): number {
  const whole = 1_000_000 + millionths;
  return Math.floor((2 * totalCents * millionths + whole) / (2 * whole));
}
