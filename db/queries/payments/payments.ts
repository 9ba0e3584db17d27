import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  notInArray,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import { paymentStatus, plan, type PaymentStatus } from "../../shapes/money/plans.ts";
import type { Db } from "../../client.ts";
import { isAmong, jsonRows, qualified } from "../../expressions.ts";
import { insertWhere } from "../../insert-where.ts";
import { cardReports, paymentDisputes } from "../../schema/money.ts";
import { paymentRefunds, payments, pointEntries, stripeCustomers } from "../../schema/payments.ts";
import { hasRecord } from "../accounts/has-record.ts";
import { serviceLedgerQuery, type ServiceEntry } from "./service-time.ts";

export type PaymentRow = typeof payments.$inferSelect;
export type DisputeRow = Omit<typeof paymentDisputes.$inferSelect, "paymentId">;

/** The entries of a payment's settlement so far, and the service ledger around them. */
export type PaymentLedger = {
  /** All entries of the driver's: which days are used depends on all grants. */
  service: readonly ServiceEntry[];
  /** The payment's own entries, by source. */
  points: ReadonlyMap<string, number>;
  refunds: readonly Pick<typeof paymentRefunds.$inferSelect, "id" | "isEffective" | "isGoodwill" | "cents">[];
  disputes: readonly DisputeRow[];
  reports: readonly Pick<typeof cardReports.$inferSelect, "id" | "isFinal">[];
};

/** Statuses of a payment that may still be paid. A driver has at most one such payment. */
export const IN_PROGRESS: PaymentStatus[] = ["open", "processing"];
/** Statuses in which money of a deleted account is still ours to give back. */
export const OWED_IF_ORPHANED: PaymentStatus[] = ["settled", "partly_refunded"];
const NEVER_PAID: PaymentStatus[] = ["open", "abandoned"];
/** Matches rows whose enum values we know. Others are not shown to drivers, and code that moves money fails on them. */
const isReadable = and(inArray(payments.status, paymentStatus.options), inArray(payments.plan, plan.options));

/** The driver's payment that waits for the card or the bank. */
export async function loadPaymentInProgress(db: Db, driverId: DriverId): Promise<PaymentRow | null> {
  const [row] = await paymentInProgressQuery(db, driverId);
  return row ?? null;
}

/** The query of `loadPaymentInProgress`, for the batch of a change after which it is read. */
export function paymentInProgressQuery(db: Db, driverId: DriverId) {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.driverId, driverId), inArray(payments.status, IN_PROGRESS)));
}

/** The currencies of payments, by their ids. */
export async function loadCurrencies(db: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: payments.id, currency: payments.currency })
    .from(payments)
    .where(isAmong(payments.id, ids));
  return new Map(rows.map(({ id, currency }) => [id, currency]));
}

/** A payment, and the kind of its latest refund or dispute if that returned no money. */
export type PaymentRecord = PaymentRow & { voidReversal: "refund" | "dispute" | null };

const recordColumns = {
  ...getTableColumns(payments),
  voidReversal: qualified(
    sql<PaymentRecord["voidReversal"]>`(
      SELECT CASE WHEN ${paymentRefunds.isEffective} THEN NULL ELSE ${paymentRefunds.kind} END FROM ${paymentRefunds}
      WHERE ${paymentRefunds.paymentId} = ${payments.id} ORDER BY ${paymentRefunds.at} DESC, ${paymentRefunds.id} DESC LIMIT 1)`,
  ),
};

/** One payment of a driver; null if it doesn't exist or belongs to another driver. */
export async function loadPayment(
  db: Db,
  { driverId, id }: { driverId: DriverId; id: string },
): Promise<PaymentRecord | null> {
  const [row] = await paymentQuery(db, { driverId, id });
  return row ?? null;
}

function paymentQuery(db: Db, { driverId, id }: { driverId: DriverId; id: string }) {
  return db
    .select(recordColumns)
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.driverId, driverId), isReadable));
}

/** The same with its ledger entries, for settling. */
export async function loadStoredPayment(
  db: Db,
  { driverId, id }: { driverId: DriverId; id: string },
): Promise<StoredPayment<PaymentRecord> | null> {
  const [[payment], ...ledger] = await db.batch([
    paymentQuery(db, { driverId, id }),
    ...ledgerQueries(db, { id: sql`${id}`, driverId: sql`${driverId}` }),
  ]);
  return payment ? { payment, ledger: toLedger(ledger) } : null;
}

/** The id of the driver's latest settled payment; null if there is none. */
export async function loadLastPaymentId(db: Db, driverId: DriverId): Promise<string | null> {
  const [row] = await db
    .select({ id: sql<string | null>`${lastPaymentIdQuery(driverId)}` })
    .from(sql`(SELECT 1)`);
  return row?.id ?? null;
}

/** The same for several drivers; drivers without one are left out. */
export async function loadLastPaymentIds(
  db: Db,
  driverIds: readonly DriverId[],
): Promise<ReadonlyMap<DriverId, string>> {
  const { source, field } = jsonRows(driverIds.map((driverId) => ({ driverId })));
  const driverId = field("driverId");
  const rows = await db
    .select({
      driverId: sql<DriverId>`${driverId}`,
      id: sql<string | null>`${lastPaymentIdQuery(driverId)}`,
    })
    .from(source);
  return new Map(rows.flatMap(({ driverId, id }) => (id === null ? [] : [[driverId, id]])));
}

/** The driver's latest settled payment; null if there is none, or it can't be read. */
export async function loadLastPayment(db: Db, driverId: DriverId): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(sql`${payments.id} = ${lastPaymentIdQuery(driverId)}`, isReadable));
  return row ?? null;
}

/** The same as a subquery. */
export function lastPaymentIdQuery(driverId: DriverId | SQL): SQL {
  const { id, settledAt } = payments;
  return sql`(SELECT ${id} FROM ${payments} WHERE ${payments.driverId} = ${driverId} AND ${settledAt} IS NOT NULL
    ORDER BY ${settledAt} DESC, ${id} DESC LIMIT 1)`;
}

/** A payment with its ledger entries. */
export type StoredPayment<Row extends PaymentRow = PaymentRow> = { payment: Row; ledger: PaymentLedger };

/** The payment of an intent, with its ledger entries. Found by our own id if the response that created the intent was lost. */
export async function loadPaymentByIntent(
  db: Db,
  { intentId, paymentId }: { intentId: string; paymentId: string | null },
): Promise<StoredPayment | null> {
  const matchesIntent = or(
    eq(payments.intentId, intentId),
    and(eq(payments.id, paymentId ?? ""), isNull(payments.intentId)),
  );
  const of = (column: SQLiteColumn) =>
    sql`(SELECT ${column} FROM ${payments} WHERE ${matchesIntent} LIMIT 1)`;
  const [[payment], ...ledger] = await db.batch([
    db.select().from(payments).where(matchesIntent),
    ...ledgerQueries(db, { id: of(payments.id), driverId: of(payments.driverId) }),
  ]);
  return payment ? { payment, ledger: toLedger(ledger) } : null;
}

/** Whether there is a payment with this id, whoever owns it. */
export async function hasPayment(db: Db, id: string): Promise<boolean> {
  const rows = await db.select({ id: payments.id }).from(payments).where(eq(payments.id, id));
  return rows.length > 0;
}

/** The entries of a payment's settlement so far. */
export async function loadPaymentLedger(
  db: Db,
  { id, driverId }: Pick<PaymentRow, "id" | "driverId">,
): Promise<PaymentLedger> {
  return toLedger(await runLedgerQueries(db, { id: sql`${id}`, driverId: sql`${driverId}` }));
}

function runLedgerQueries(db: Db, of: { id: SQL; driverId: SQL }) {
  return db.batch(ledgerQueries(db, of));
}

function ledgerQueries(db: Db, { id, driverId }: { id: SQL; driverId: SQL }) {
  // `;` sorts right after `:`, so the range covers every source that begins with `payment:<id>:`.
  const [from, to] = [sql`'payment:' || ${id} || ':'`, sql`'payment:' || ${id} || ';'`];
  return [
    serviceLedgerQuery(db, driverId),
    db
      .select()
      .from(pointEntries)
      .where(and(gte(pointEntries.source, from), lt(pointEntries.source, to))),
    db.select().from(paymentRefunds).where(eq(paymentRefunds.paymentId, id)),
    db.select().from(paymentDisputes).where(eq(paymentDisputes.paymentId, id)),
    db.select().from(cardReports).where(eq(cardReports.paymentId, id)),
  ] as const;
}

type LedgerRows = Readonly<Awaited<ReturnType<typeof runLedgerQueries>>>;

function toLedger([service, points, refunds, disputes, reports]: LedgerRows): PaymentLedger {
  const pointsBySource = new Map(points.map((entry) => [entry.source, entry.points]));
  return { service, points: pointsBySource, refunds, disputes, reports };
}

/** A driver's payments that went through, newest first, even if the account was deleted. */
export function listSettledPayments(db: Db, driverId: DriverId): Promise<PaymentRow[]> {
  return db
    .select()
    .from(payments)
    .where(and(eq(payments.driverId, driverId), isNotNull(payments.settledAt), isReadable))
    .orderBy(desc(payments.settledAt), desc(payments.id));
}

/** Whether a driver ever paid, with points or money. */
export async function hasSettledPayments(db: Db, driverId: DriverId): Promise<boolean> {
  return (await loadLastPaymentId(db, driverId)) !== null;
}

/** The refunds of payments, oldest first. */
export function listPaymentRefunds(db: Db, ids: readonly string[]) {
  return db
    .select()
    .from(paymentRefunds)
    .where(sql`${paymentRefunds.paymentId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`)
    .orderBy(asc(paymentRefunds.at), asc(paymentRefunds.id));
}

/** Position in the payment history: the instant and the id of the last payment on the page before. */
export type PaymentCursor = { at: EpochMs; id: string };

/** A page of a driver's payments before a cursor, newest first. */
export function listDriverPayments(
  db: Db,
  driverId: DriverId,
  { before, limit }: { before: PaymentCursor | null; limit: number },
): Promise<PaymentRecord[]> {
  const at = sql<number>`coalesce(${payments.settledAt}, ${payments.createdAt})`;
  const isBefore = before && sql`(${at}, ${payments.id}) < (${before.at}, ${before.id})`;
  return db
    .select(recordColumns)
    .from(payments)
    .where(
      and(
        eq(payments.driverId, driverId),
        isReadable,
        notInArray(payments.status, NEVER_PAID),
        isBefore ?? undefined,
      ),
    )
    .orderBy(desc(at), desc(payments.id))
    .limit(limit);
}

/**
 * Payments created before an instant that are in progress, disputed, or owed to a deleted account. Half of the limit are the
 * oldest, half are random ones, so that payments that always fail, or wait for the end of a day, don't hold up others.
 */
export async function listPaymentsToReconcile(
  db: Db,
  { before, limit }: { before: EpochMs; limit: number },
): Promise<PaymentRow[]> {
  const due = (order: SQL, most: number) =>
    db
      .select()
      .from(payments)
      .where(
        and(
          or(
            inArray(payments.status, [...IN_PROGRESS, "disputed"]),
            and(isNotNull(payments.orphanedAt), inArray(payments.status, OWED_IF_ORPHANED)),
          ),
          lt(payments.createdAt, before),
        ),
      )
      .orderBy(order)
      .limit(most);
  const drawn = await db.batch([due(asc(payments.createdAt), limit / 2), due(sql`random()`, limit)]);
  return [...new Map(drawn.flat().map((payment) => [payment.id, payment])).values()].slice(0, limit);
}

/** Looks up which of these intents are ours and whether their payments are settled. */
export async function loadIntents(
  db: Db,
  intentIds: readonly string[],
): Promise<{ intentId: string; isSettled: boolean; isFeeKnown: boolean }[]> {
  const { intentId, settledAt, processorFeeCents } = payments;
  const rows = await db
    .select({ intentId, settledAt, processorFeeCents })
    .from(payments)
    // One JSON parameter: D1 allows 100 per statement.
    .where(sql`${payments.intentId} IN (SELECT value FROM json_each(${JSON.stringify(intentIds)}))`);
  return rows.flatMap((row) => {
    const facts = { isSettled: row.settledAt !== null, isFeeKnown: row.processorFeeCents !== null };
    return row.intentId === null ? [] : [{ intentId: row.intentId, ...facts }];
  });
}

/** The driver's Stripe customer id; null if they never paid. */
export async function loadCustomerId(db: Db, driverId: DriverId): Promise<string | null> {
  const [row] = await customerQuery(db, driverId);
  return row?.customerId ?? null;
}

/** The customers of several drivers. */
export async function loadCustomerIds(
  db: Db,
  driverIds: readonly DriverId[],
): Promise<ReadonlyMap<DriverId, string>> {
  const rows = await db.select().from(stripeCustomers).where(isAmong(stripeCustomers.driverId, driverIds));
  return new Map(rows.map(({ driverId, customerId }) => [driverId, customerId]));
}

/** The query of `loadCustomerId`, for a batch. */
export function customerQuery(db: Db, driverId: DriverId) {
  return db
    .select({ customerId: stripeCustomers.customerId })
    .from(stripeCustomers)
    .where(eq(stripeCustomers.driverId, driverId));
}

/** A customer is stored only beside the driver's record: nobody would delete it once the account is deleted. */
function customerInsert(db: Db, driverId: DriverId, customerId: string) {
  return insertWhere(db, stripeCustomers, { driverId, customerId }, hasRecord(driverId));
}

/**
 * Stores a driver's first customer.
 * @returns the one that is stored: another call may have been faster. Null after the account was deleted
 */
export async function storeFirstCustomerId(
  db: Db,
  driverId: DriverId,
  customerId: string,
): Promise<string | null> {
  const [, [row]] = await db.batch(firstCustomerStatements(db, driverId, customerId));
  return row?.customerId ?? null;
}

/** The statements of `storeFirstCustomerId`, for another batch. */
export function firstCustomerStatements(db: Db, driverId: DriverId, customerId: string) {
  return [
    customerInsert(db, driverId, customerId).onConflictDoNothing(),
    customerQuery(db, driverId),
  ] as const;
}

/**
 * Stores a customer in place of one that the card processor no longer knows.
 * @returns false after the account was deleted
 */
export async function saveCustomerId(db: Db, driverId: DriverId, customerId: string): Promise<boolean> {
  const saved = await customerInsert(db, driverId, customerId)
    .onConflictDoUpdate({ target: stripeCustomers.driverId, set: { customerId } })
    .returning({ customerId: stripeCustomers.customerId });
  return saved.length === 1;
}
