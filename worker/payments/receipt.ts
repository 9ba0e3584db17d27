import * as z from "zod/mini";
import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import {
  listPaymentRefunds,
  listSettledPayments,
  loadPayment,
  type PaymentRow,
} from "../../db/queries/payments/payments.ts";
import { moneyReturned } from "../../db/shapes/money/money-back.ts";
import { PLAN_DAYS } from "../../db/shapes/money/plans.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { Config } from "../../durable/runtime/config.ts";
import { receipt, type Receipt } from "../contract/money/payments.ts";
import { taxOf } from "./books/journal.ts";
import type { CheckoutContext } from "./checkout.ts";
import { loadPaymentRenewal } from "./renewals/renewal-consent.ts";

type ReceiptContext = Pick<CheckoutContext, "db" | "deps">;
type PaymentRefundRow = Awaited<ReturnType<typeof listPaymentRefunds>>[number];

/** The receipt of a driver's own payment; null where it is another's, or nothing was paid. */
export async function loadReceipt(
  { db, deps }: ReceiptContext,
  { row: driver }: Pick<DriverRecord, "row">,
  paymentId: string,
): Promise<Receipt | null> {
  const [payment, refunds, renewal] = await Promise.all([
    loadPayment(db, { driverId: driver.id, id: paymentId }),
    listPaymentRefunds(db, [paymentId]),
    loadPaymentRenewal({ db, deps }, { driverId: driver.id, paymentId }),
  ]);
  // Nothing of another driver's payment is answered.
  if (!payment) return null;
  return toReceipt(payment, { refunds, renewal, driverName: driver.name, seller: deps.config.seller });
}

/** All receipts of an account that was deleted, newest first, as they were: but for the name, which is erased. */
export async function listReceiptsOfDeleted(
  { db, deps }: ReceiptContext,
  driverId: DriverId,
): Promise<Receipt[]> {
  const payments = await listSettledPayments(db, driverId);
  const refunds = await listPaymentRefunds(
    db,
    payments.map(({ id }) => id),
  );
  return payments.flatMap((payment) => {
    const own = refunds.filter(({ paymentId }) => paymentId === payment.id);
    return (
      toReceipt(payment, { refunds: own, renewal: null, driverName: "", seller: deps.config.seller }) ?? []
    );
  });
}

function toReceipt(
  payment: PaymentRow,
  {
    refunds,
    ...rest
  }: Pick<Receipt, "driverName" | "renewal"> & {
    refunds: readonly PaymentRefundRow[];
    seller: Config["seller"];
  },
): Receipt | null {
  const { id: paymentId, taxName, taxMillionths, method, totalCents, settledAt, receiptNumber } = payment;
  if (settledAt === null || receiptNumber === null) return null;
  const back = moneyReturned(
    refunds.map(({ kind, cents, at, tookAt, isEffective }) => ({
      kind,
      cents,
      at: tookAt ?? at,
      state: isEffective ? "back" : "void",
    })),
  );
  const keptCents = Math.max(0, totalCents - back.cents);
  return z.parse(receipt, {
    ...payment,
    ...rest,
    paymentId,
    number: receiptNumber,
    paidAt: settledAt,
    days: PLAN_DAYS[payment.plan],
    tax:
      taxName === null || taxMillionths === null
        ? null
        : {
            name: taxName,
            millionths: taxMillionths,
            cents: taxOf(payment, totalCents),
            keptCents: taxOf(payment, keptCents),
          },
    method: method === null ? null : { type: method, brand: payment.methodBrand, last4: payment.methodLast4 },
    refunds: back.lines,
  } satisfies Receipt);
}
