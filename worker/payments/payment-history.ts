import * as z from "zod/mini";
import type { Db } from "../../db/client.ts";
import {
  listDriverPayments,
  loadPayment,
  type PaymentCursor,
  type PaymentRecord,
  type PaymentRow,
} from "../../db/queries/payments/payments.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import {
  payment,
  type Payment,
  type PaymentInProgress,
  type PaymentsResponse,
} from "../contract/money/payments.ts";
import type { CheckoutContext } from "./checkout.ts";
import { abandonWithoutIntent, settleIntent } from "./settle-intent.ts";

const PAGE_SIZE = 20;

/** A page of what a driver paid, newest first. */
export async function listPaymentPage(
  db: Db,
  driverId: DriverId,
  cursor: string | undefined,
): Promise<PaymentsResponse> {
  const rows = await listDriverPayments(db, driverId, { before: parseCursor(cursor), limit: PAGE_SIZE + 1 });
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    items: page.map(toPayment),
    cursor: rows.length > PAGE_SIZE && last ? `${last.settledAt ?? last.createdAt}.${last.id}` : null,
  };
}

/**
 * One payment of a driver's own, settled first where the card processor may know more of it than we do; null
 * where it is another's, or none.
 * @param mayAsk false where the driver has looked too often: what we know is answered
 * @throws {CardProcessorError} `unreachable`
 */
export async function fetchPayment(
  checkout: CheckoutContext,
  { driverId, id, mayAsk }: { driverId: DriverId; id: string; mayAsk: () => Promise<boolean> },
): Promise<Payment | null> {
  const { cards, db } = checkout;
  const row = await loadPayment(db, { driverId, id });
  if (!row) return null;
  if (!isInProgress(row) || row.intentId === null || !cards) return toPayment(row);
  if (!(await mayAsk())) return toPayment(row);
  await settleIntent({ ...checkout, cards }, row.intentId);
  return toPayment((await loadPayment(db, { driverId, id })) ?? row);
}

/**
 * Calls a payment off that is not decided, if the bank still allows it; null where it is another's, or none.
 * @throws {CardProcessorError} `unreachable`
 */
export async function cancelPayment(
  checkout: CheckoutContext,
  { driverId, id }: { driverId: DriverId; id: string },
): Promise<Payment | null> {
  const { cards, db } = checkout;
  const row = await loadPayment(db, { driverId, id });
  if (!row) return null;
  if (!isInProgress(row)) return toPayment(row);
  if (row.intentId === null) await abandonWithoutIntent(checkout, row);
  else if (cards) {
    await cards.cancelIntent(row.intentId);
    await settleIntent({ ...checkout, cards }, row.intentId);
  }
  return toPayment((await loadPayment(db, { driverId, id })) ?? row);
}

function isInProgress({ status }: PaymentRow): boolean {
  return status === "open" || status === "processing";
}

/** The step in progress of a payment; null if it is decided. */
export function toPaymentInProgress(row: PaymentRow): PaymentInProgress | null {
  const { id, status, plan, currency, totalCents, createdAt, processingAt } = row;
  if (status !== "open" && status !== "processing") return null;
  const since = status === "processing" ? (processingAt ?? createdAt) : createdAt;
  return { id, status, plan, currency, totalCents, since, canCancel: true };
}

/** While a dispute is open its row is void too. */
function reversalOf({ status, voidReversal }: PaymentRecord): Payment["reversal"] {
  if (voidReversal === "refund") return "refund_failed";
  return voidReversal === "dispute" && status !== "disputed" ? "dispute_won" : null;
}

function toPayment(row: PaymentRecord): Payment {
  const inProgress = toPaymentInProgress(row);
  return z.parse(payment, {
    ...row,
    isRenewal: row.renewalOf !== null,
    inProgress,
    reversal: reversalOf(row),
    at: row.settledAt ?? row.createdAt,
  } satisfies Payment);
}

function parseCursor(cursor: string | undefined): PaymentCursor | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = cursor.split(".");
  return { at: Number(at), id };
}
