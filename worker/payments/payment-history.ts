import * as z from "zod/mini";
import type { Db } from "../../db/client.ts";
import { listPayments, loadPayment, type PaymentCursor, type PaymentRow } from "../../db/queries/payments.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import { payment, type Payment, type PaymentsResponse } from "../contract/payments.ts";
import type { CheckoutContext } from "./checkout.ts";
import { settleIntent } from "./settle-intent.ts";

const PAGE_SIZE = 20;

/** A page of what a driver paid, newest first. */
export async function listPaymentPage(
  db: Db,
  driverId: DriverId,
  cursor: string | undefined,
): Promise<PaymentsResponse> {
  const rows = await listPayments(db, driverId, { before: parseCursor(cursor), limit: PAGE_SIZE + 1 });
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    items: page.map(toPayment),
    cursor: rows.length > PAGE_SIZE && last ? `${last.settledAt ?? last.createdAt}.${last.id}` : null,
  };
}

/**
 * One payment of a driver's own, settled first where the card processor knows more of it than we do; null
 * where it is another's, or none.
 * @throws {CardProcessorError} `unreachable`
 */
export async function fetchPayment(
  checkout: CheckoutContext,
  { driverId, id }: { driverId: DriverId; id: string },
): Promise<Payment | null> {
  const { cards, db } = checkout;
  const row = await loadPayment(db, { driverId, id });
  if (!row) return null;
  const isInProgress = row.status === "open" || row.status === "processing";
  if (!isInProgress || row.intentId === null || !cards) return toPayment(row);
  const settled = await settleIntent({ ...checkout, cards }, row.intentId);
  return toPayment(settled?.payment ?? row);
}

function toPayment(row: PaymentRow): Payment {
  return z.parse(payment, { ...row, at: row.settledAt ?? row.createdAt } satisfies Payment);
}

function parseCursor(cursor: string | undefined): PaymentCursor | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = cursor.split(".");
  return { at: Number(at), id };
}
