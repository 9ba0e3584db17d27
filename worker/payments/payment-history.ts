import * as z from "zod/mini";
import type { Db } from "../../db/client.ts";
import {
  listDriverPayments,
  loadPayment,
  type PaymentCursor,
  type PaymentRecord,
  type PaymentRow,
} from "../../db/queries/payments/payments.ts";
import { loadMoneyBack } from "../../db/queries/payments/money-back.ts";
import type { MoneyBack } from "../../db/shapes/money/money-back.ts";
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

/** The rows of a page of what a driver paid, and the one after them. */
export function listPageRows(
  db: Db,
  driverId: DriverId,
  cursor: string | undefined,
): Promise<PaymentRecord[]> {
  return listDriverPayments(db, driverId, { before: parseCursor(cursor), limit: PAGE_SIZE + 1 });
}

/** A page of what a driver paid, newest first. */
export async function toPaymentPage(
  db: Db,
  driverId: DriverId,
  rows: readonly PaymentRecord[],
): Promise<PaymentsResponse> {
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  const back = await loadMoneyBack(
    db,
    driverId,
    page.map(({ id }) => id),
  );
  return {
    items: page.map((row) => toPayment(row, back.get(row.id) ?? [])),
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
  if (!isInProgress(row) || row.intentId === null || !cards) return withMoneyBack(db, row);
  if (!(await mayAsk())) return withMoneyBack(db, row);
  await settleIntent({ ...checkout, cards }, row.intentId);
  return loadSettled(db, row);
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
  if (!isInProgress(row)) return withMoneyBack(db, row);
  if (row.intentId === null) await abandonWithoutIntent(checkout, row);
  else if (cards) {
    await cards.cancelIntent(row.intentId);
    await settleIntent({ ...checkout, cards }, row.intentId);
  }
  return loadSettled(db, row);
}

/** The payment as settling left it. */
async function loadSettled(db: Db, row: PaymentRecord): Promise<Payment> {
  const { driverId, id } = row;
  const [settled, back] = await Promise.all([
    loadPayment(db, { driverId, id }),
    loadMoneyBack(db, driverId, [id]),
  ]);
  return toPayment(settled ?? row, back.get(id) ?? []);
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

/** With what the ledgers have of it, as they are now. */
async function withMoneyBack(db: Db, row: PaymentRecord): Promise<Payment> {
  const back = await loadMoneyBack(db, row.driverId, [row.id]);
  return toPayment(row, back.get(row.id) ?? []);
}

function toPayment(row: PaymentRecord, back: readonly MoneyBack[]): Payment {
  const inProgress = toPaymentInProgress(row);
  return z.parse(payment, {
    ...row,
    isRenewal: row.renewalOf !== null,
    inProgress,
    reversal: reversalOf(row),
    back: [...back],
    at: row.settledAt ?? row.createdAt,
  } satisfies Payment);
}

function parseCursor(cursor: string | undefined): PaymentCursor | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = cursor.split(".");
  return { at: Number(at), id };
}
