import {
  and,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNull,
  lt,
  notInArray,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import type { DurationMs, DriverId, EpochMs } from "../../durable/engine/units.ts";
import type { PaymentStatus } from "../../worker/contract/payments.ts";
import type { Db } from "../client.ts";
import {
  payments,
  pointEntries,
  promotions,
  raffleEntries,
  serviceNews,
  stripeCustomers,
  stripeEvents,
} from "../money-schema.ts";
import { serviceCredits, users } from "../schema.ts";

export type PaymentRow = typeof payments.$inferSelect;
export type NewsKind = (typeof serviceNews.$inferSelect)["kind"];

/** What a payment has written to the ledgers so far, by source. */
export type PaymentLedger = {
  credits: ReadonlyMap<string, DurationMs>;
  points: ReadonlyMap<string, number>;
};

/** How a payment stands from now on, and what its driver gains or loses by it. */
export type PaymentChange = Pick<
  PaymentRow,
  "status" | "intentId" | "settledAt" | "refundedCents" | "receiptUrl"
> & {
  credits: readonly { source: string; durationMs: DurationMs }[];
  points: readonly { source: string; points: number }[];
  /** When it was paid in full, for the raffle; null where it enters none. */
  raffleAt: EpochMs | null;
  news: readonly { source: string; kind: NewsKind }[];
};

/** A signed event that the card processor sent. */
export type StripeEvent = { id: string; type: string; intentId: string | null };

const UNDER_WAY: PaymentStatus[] = ["open", "processing"];
const NEVER_PAID: PaymentStatus[] = ["open", "abandoned"];

/** The driver's payment that waits for the card, or for the bank; at most one. */
export async function paymentUnderWay(db: Db, driverId: DriverId): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.driverId, driverId), inArray(payments.status, UNDER_WAY)));
  return row ?? null;
}

/** One payment of a driver's own; null where it is another's, or none. */
export async function readPayment(
  db: Db,
  { driverId, id }: { driverId: DriverId; id: string },
): Promise<PaymentRow | null> {
  const [row] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.id, id), eq(payments.driverId, driverId)));
  return row ?? null;
}

/** The driver's latest payment that went through; null where none did. */
export async function readLastPaymentId(db: Db, driverId: DriverId): Promise<string | null> {
  const [row] = await db.select({ id: sql<string | null>`${lastPaymentId(driverId)}` }).from(sql`(SELECT 1)`);
  return row?.id ?? null;
}

function lastPaymentId(driverId: DriverId): SQL {
  return sql`(SELECT id FROM payments WHERE driver_id = ${driverId} AND settled_at IS NOT NULL
    ORDER BY settled_at DESC, id DESC LIMIT 1)`;
}

/** The payment that an intent was made for, with what it has written so far; by our id where the intent's answer was lost. */
export async function readPaymentOf(
  db: Db,
  { intentId, paymentId }: { intentId: string; paymentId: string | null },
): Promise<{ payment: PaymentRow; ledger: PaymentLedger } | null> {
  const isIt = or(
    eq(payments.intentId, intentId),
    and(eq(payments.id, paymentId ?? ""), isNull(payments.intentId)),
  );
  const [payment] = await db.select().from(payments).where(isIt);
  return payment ? { payment, ledger: await readLedgerOf(db, payment) } : null;
}

/** What a payment has written to the ledgers so far. */
export async function readLedgerOf(db: Db, { id }: Pick<PaymentRow, "id">): Promise<PaymentLedger> {
  // `;` follows `:`, so the span holds `payment:<id>` and all that begins with `payment:<id>:`.
  const [from, to] = [`payment:${id}`, `payment:${id};`];
  const [credits, points] = await db.batch([
    db
      .select()
      .from(serviceCredits)
      .where(and(gte(serviceCredits.source, from), lt(serviceCredits.source, to))),
    db
      .select()
      .from(pointEntries)
      .where(and(gte(pointEntries.source, from), lt(pointEntries.source, to))),
  ]);
  return {
    credits: new Map(credits.map(({ source, durationMs }) => [source, durationMs])),
    points: new Map(points.map((entry) => [entry.source, entry.points])),
  };
}

/**
 * Writes a payment before anything is asked of the card processor, and holds its points, in one go:
 * where the driver has no other under way, the points are there and, where `lastKnown` is given, no
 * payment went through since that one. With a `settlement` it is settled in the same go.
 * @returns false where nothing was written
 */
export async function insertPayment(
  db: Db,
  payment: PaymentRow,
  { settlement, lastKnown }: { settlement: PaymentChange | null; lastKnown: string | null | undefined },
): Promise<boolean> {
  const { id, driverId, points, createdAt } = payment;
  const isUpToDate = lastKnown === undefined ? sql`1` : sql`${lastPaymentId(driverId)} IS ${lastKnown}`;
  const fields = Object.keys(getTableColumns(payments)).map((field) => sql.raw(`whole ->> '${field}'`));
  const claim = db
    .insert(payments)
    .select(
      sql`SELECT ${sql.join(fields, sql`, `)} FROM (SELECT ${JSON.stringify(payment)} AS whole)
        WHERE ${isUpToDate}
          AND (${points} = 0 OR (SELECT coalesce(sum(points), 0) FROM point_entries WHERE driver_id = ${driverId}) >= ${points})`,
    )
    .onConflictDoNothing()
    .returning({ id: payments.id });
  const hold = db.insert(pointEntries).select(
    sql`SELECT ${`payment:${id}:reserved`}, ${driverId}, ${-points}, ${createdAt}
      WHERE ${points} > 0 AND EXISTS (SELECT 1 FROM payments WHERE id = ${id})`,
  );
  const settle = settlement ? changeStatements(db, payment, { change: settlement, now: createdAt }) : [];
  const [claimed] = await db.batch([claim, hold, ...settle]);
  return claimed.length === 1;
}

/**
 * Notes the intent that was made for a payment.
 * @returns false where the payment is under way no more, or has another intent
 */
export async function attachIntent(
  db: Db,
  { id }: Pick<PaymentRow, "id">,
  intentId: string,
): Promise<boolean> {
  const rows = await db
    .update(payments)
    .set({ intentId, revision: sql`${payments.revision} + 1` })
    .where(
      and(
        eq(payments.id, id),
        inArray(payments.status, UNDER_WAY),
        or(isNull(payments.intentId), eq(payments.intentId, intentId)),
      ),
    )
    .returning({ id: payments.id });
  return rows.length === 1;
}

/**
 * Writes all of a change, and the event that led to it, in one go; nothing where the payment was
 * written since it was read.
 * @returns false where it has to be read again
 */
export async function changePayment(
  db: Db,
  payment: PaymentRow,
  { change, event, now }: { change: PaymentChange; event: StripeEvent | null; now: EpochMs },
): Promise<boolean> {
  const statements = changeStatements(db, payment, { change, now });
  const noted = event ? [noteEvent(db, event, { now, where: isAsRead(payment) })] : [];
  const [first, ...rest] = [...noted, ...statements];
  if (!first) return false;
  const results: unknown[] = await db.batch([first, ...rest]);
  const last = results.at(-1);
  return Array.isArray(last) && last.length === 1;
}

function changeStatements(
  db: Db,
  payment: PaymentRow,
  { change, now }: { change: PaymentChange; now: EpochMs },
) {
  const { id, driverId, plan, revision } = payment;
  const { credits, points, raffleAt, news, ...fields } = change;
  // D1 has no interactive transaction: each statement acts only where the payment is as it was read.
  const mine = isAsRead(payment);
  const concernsDriver = credits.length > 0;
  return [
    ...credits.map(({ source, durationMs }) =>
      db
        .insert(serviceCredits)
        .select(sql`SELECT ${source}, ${driverId}, ${durationMs}, ${now} WHERE ${mine}`)
        .onConflictDoNothing(),
    ),
    ...points.map((entry) =>
      db
        .insert(pointEntries)
        .select(sql`SELECT ${entry.source}, ${driverId}, ${entry.points}, ${now} WHERE ${mine}`)
        .onConflictDoNothing(),
    ),
    ...(raffleAt === null
      ? []
      : [
          db
            .insert(raffleEntries)
            .select(
              sql`SELECT id, ${id}, ${driverId}, ${raffleAt} FROM ${promotions}
                WHERE plan = ${plan} AND starts_at <= ${raffleAt} AND ${raffleAt} < ends_at AND ${mine}`,
            )
            .onConflictDoNothing(),
        ]),
    ...news.map(({ source, kind }) =>
      db
        .insert(serviceNews)
        .select(sql`SELECT ${source}, ${driverId}, ${kind}, ${now} WHERE ${mine}`)
        .onConflictDoNothing(),
    ),
    ...(concernsDriver
      ? [
          db
            .update(users)
            .set({ revision: sql`${users.revision} + 1` })
            .where(and(eq(users.id, driverId), mine)),
        ]
      : []),
    db
      .update(payments)
      .set({ ...fields, revision: revision + 1 })
      .where(and(eq(payments.id, id), eq(payments.revision, revision)))
      .returning({ id: payments.id }),
  ];
}

function isAsRead({ id, revision }: PaymentRow): SQL {
  return sql`EXISTS (SELECT 1 FROM payments WHERE id = ${id} AND revision = ${revision})`;
}

function noteEvent(
  db: Db,
  { id, type, intentId }: StripeEvent,
  { now, where }: { now: EpochMs; where: SQL },
) {
  return db
    .insert(stripeEvents)
    .select(sql`SELECT ${id}, ${type}, ${intentId}, ${now} WHERE ${where}`)
    .onConflictDoNothing();
}

/** Notes an event that changed nothing. */
export async function insertEvent(db: Db, event: StripeEvent, now: EpochMs): Promise<void> {
  await noteEvent(db, event, { now, where: sql`1` });
}

/** Whether an event was dealt with already. */
export async function isEventKnown(db: Db, id: string): Promise<boolean> {
  const rows = await db.select({ id: stripeEvents.id }).from(stripeEvents).where(eq(stripeEvents.id, id));
  return rows.length > 0;
}

/** Where the history is read on: the instant and the id of the last line shown. */
export type PaymentCursor = { at: EpochMs; id: string };

/** What a driver paid, newest first, from before a cursor. */
export function listPayments(
  db: Db,
  driverId: DriverId,
  { before, limit }: { before: PaymentCursor | null; limit: number },
): Promise<PaymentRow[]> {
  const at = sql<number>`coalesce(${payments.settledAt}, ${payments.createdAt})`;
  const isBefore = before && sql`(${at}, ${payments.id}) < (${before.at}, ${before.id})`;
  return db
    .select()
    .from(payments)
    .where(
      and(eq(payments.driverId, driverId), notInArray(payments.status, NEVER_PAID), isBefore ?? undefined),
    )
    .orderBy(desc(at), desc(payments.id))
    .limit(limit);
}

/** Payments that wait for an end, from before an instant: those under way before those disputed, the oldest first. */
export function paymentsToLookAt(
  db: Db,
  { before, limit }: { before: EpochMs; limit: number },
): Promise<PaymentRow[]> {
  return db
    .select()
    .from(payments)
    .where(and(inArray(payments.status, [...UNDER_WAY, "disputed"]), lt(payments.createdAt, before)))
    .orderBy(sql`${payments.status} = 'disputed'`, payments.createdAt)
    .limit(limit);
}

/** Which of these intents are ours, and whether they are settled. */
export async function readIntents(
  db: Db,
  intentIds: readonly string[],
): Promise<{ intentId: string; isSettled: boolean }[]> {
  const rows = await db
    .select({ intentId: payments.intentId, settledAt: payments.settledAt })
    .from(payments)
    // One JSON parameter: a statement takes 100 at most.
    .where(sql`${payments.intentId} IN (SELECT value FROM json_each(${JSON.stringify(intentIds)}))`);
  return rows.flatMap(({ intentId, settledAt }) => {
    return intentId === null ? [] : [{ intentId, isSettled: settledAt !== null }];
  });
}

/** Who a driver is at the card processor; null where they never paid. */
export async function readCustomer(db: Db, driverId: DriverId): Promise<string | null> {
  const [row] = await db
    .select({ customerId: stripeCustomers.customerId })
    .from(stripeCustomers)
    .where(eq(stripeCustomers.driverId, driverId));
  return row?.customerId ?? null;
}

export async function saveCustomer(db: Db, driverId: DriverId, customerId: string): Promise<void> {
  await db
    .insert(stripeCustomers)
    .values({ driverId, customerId })
    .onConflictDoUpdate({ target: stripeCustomers.driverId, set: { customerId } });
}
