import * as z from "zod/mini";
import type { Db } from "../../db/client.ts";
import {
  listDriverPayments,
  loadPayment,
  loadStoredPayment,
  type PaymentCursor,
  type PaymentRecord,
  type PaymentRow,
  type StoredPayment,
} from "../../db/queries/payments/payments.ts";
import { loadMoneyBack } from "../../db/queries/payments/money-back.ts";
import type { MoneyBack } from "../../db/shapes/money/money-back.ts";
import { MINUTE_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import {
  payment,
  type Payment,
  type PaymentInProgress,
  type PaymentsResponse,
} from "../contract/money/payments.ts";
import type { CheckoutContext } from "./checkout.ts";
import { abandonWithoutIntent, settleIntent, type SettledIntent } from "./settle-intent.ts";

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

/** A driver's payment as it is when a request for it begins. */
type Look = {
  driverId: DriverId;
  id: string;
  /** The payment as it was just read, null where it is another's or none; left out, it is read first. */
  found?: StoredPayment<PaymentRecord> | null;
  /** Called once it has gone through: what is shown can be read then. */
  onSaved?: () => void;
};

function findPayment(
  db: Db,
  { found, onSaved: _onSaved, ...own }: Look,
): Promise<StoredPayment<PaymentRecord> | null> {
  return found === undefined ? loadStoredPayment(db, own) : Promise.resolve(found);
}

/** A payment after a look. `isAlone`: nothing beside it has changed since the look began, neither money nor service. */
export type Looked = { payment: PaymentRecord; isAlone: boolean };

/**
 * Settles a payment of a driver's own where the card processor may know more of it than we do.
 * @param mayAsk false where the driver has looked too often: what we know is answered
 * @returns null where it is another's, or none
 * @throws {CardProcessorError} `unreachable`
 */
export async function lookAtPayment(
  checkout: CheckoutContext,
  { mayAsk, ...look }: Look & { mayAsk: () => Promise<boolean> },
): Promise<Looked | null> {
  const { cards, db } = checkout;
  const found = await findPayment(db, look);
  if (!found) return null;
  const { payment } = found;
  if (!isInProgress(payment) || payment.intentId === null || !cards || !(await mayAsk()))
    return asFound(payment, checkout.deps.now());
  return afterSettling(
    payment,
    await settleIntent({ ...checkout, cards }, payment.intentId, null, found, look.onSaved),
  );
}

/**
 * Cancels an undecided payment, if the bank still allows it.
 * @returns null where it is another's, or none
 * @throws {CardProcessorError} `unreachable`
 */
export async function cancelPayment(checkout: CheckoutContext, look: Look): Promise<Looked | null> {
  const { cards, db } = checkout;
  const found = await findPayment(db, look);
  if (!found) return null;
  const { payment } = found;
  if (!isInProgress(payment)) return asFound(payment, checkout.deps.now());
  if (payment.intentId === null) {
    await abandonWithoutIntent(checkout, payment);
    return { payment, isAlone: false };
  }
  if (!cards) return { payment, isAlone: true };
  await cards.cancelIntent(payment.intentId);
  return afterSettling(
    payment,
    await settleIntent({ ...checkout, cards }, payment.intentId, null, found, look.onSaved),
  );
}

/** A payment may have gone through by a call of Stripe's since the rest was read: just after that the rest is read anew. */
function asFound(payment: PaymentRecord, now: EpochMs): Looked {
  const { settledAt } = payment;
  return { payment, isAlone: settledAt === null || settledAt < now - MINUTE_MS };
}

/** A payment that has not gone through has entries in no ledger but that of points. */
function afterSettling(payment: PaymentRecord, settled: SettledIntent | null): Looked {
  if (settled === null) return { payment, isAlone: false };
  return { payment: { ...payment, ...settled.payment }, isAlone: settled.payment.settledAt === null };
}

/** A payment with its entries in the ledgers, all as they are now. */
export async function showPayment(db: Db, row: PaymentRecord): Promise<Payment> {
  const { driverId, id } = row;
  const [settled, back] = await Promise.all([
    loadPayment(db, { driverId, id }),
    loadMoneyBack(db, driverId, [id]),
  ]);
  return toPayment(settled ?? row, back.get(id) ?? []);
}

/** The same with entries that were just read. */
export function showPaymentAsRead(
  row: PaymentRecord,
  back: Awaited<ReturnType<typeof loadMoneyBack>>,
): Payment {
  return toPayment(row, back.get(row.id) ?? []);
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
