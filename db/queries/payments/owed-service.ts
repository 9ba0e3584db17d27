import { and, asc, eq, gt, lt, lte, sql, sum } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { JournalLine } from "../../shapes/money/journal.ts";
import type { Cents, DriverId, DurationMs, EpochMs, Period } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { isAmong } from "../../expressions.ts";
import { insertRows } from "../../insert-where.ts";
import { serviceCredits } from "../../schema/drivers.ts";
import { journal, journalDays } from "../../schema/money.ts";
import { payments } from "../../schema/payments.ts";
import { bookedUpTo } from "./journal.ts";
import type { PaymentRow } from "./payments.ts";
import type { ServiceEntry } from "./service-time.ts";

/** A payment for which the journal still owes service. A credit is negative. */
export type OwedPayment = { payment: PaymentRow; unit: string; owedCents: Cents };

const paid = alias(journal, "paid");

/** Payments whose owed service was booked on the days after one, up to another. */
export async function listPaymentsBooked(
  db: Db,
  { after, upTo }: { after: number; upTo: number },
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ id: journal.paymentId })
    .from(journal)
    .where(and(eq(journal.account, "service_owed"), gt(journal.day, after), lte(journal.day, upTo)));
  return rows.flatMap(({ id }) => id ?? []);
}

/** Those of some payments whose service is not all earned at the end of a day. */
export function listOwedPayments(db: Db, ids: readonly string[], day: number): Promise<OwedPayment[]> {
  const owedCents = sum(journal.amount).mapWith(Number);
  return db
    .select({ payment: payments, unit: journal.unit, owedCents })
    .from(journal)
    .innerJoin(payments, eq(payments.id, journal.paymentId))
    .where(
      and(
        isAmong(journal.paymentId, ids),
        eq(journal.account, "service_owed"),
        sql`${journal.day} <= ${day}`,
        // For payments from before the journal, nothing was booked as owed.
        sql`EXISTS (SELECT 1 FROM ${journal} ${paid} WHERE ${paid.paymentId} = ${payments.id} AND ${paid.entry} LIKE '%:paid')`,
      ),
    )
    .groupBy(journal.paymentId, journal.unit)
    .having(sql`sum(${journal.amount}) <> 0`);
}

/** The service ledgers of drivers before an instant, each in the order in which it was written. */
export async function loadServiceLedgers(
  db: Db,
  driverIds: readonly DriverId[],
  before: EpochMs,
): Promise<ReadonlyMap<DriverId, ServiceEntry[]>> {
  const rows = await db
    .select()
    .from(serviceCredits)
    .where(and(isAmong(serviceCredits.driverId, driverIds), sql`${serviceCredits.at} < ${before}`))
    .orderBy(asc(serviceCredits.at), sql`${serviceCredits}.rowid`);
  return Map.groupBy(rows, ({ driverId }) => driverId);
}

/**
 * A page of the drivers whose service changed in a span or may be unused at its begin: service ends at the latest when all the
 * time ever granted has passed since the last grant.
 */
export async function listServedDrivers(
  db: Db,
  { from, to, after, limit }: Period & { after: DriverId | null; limit: number },
): Promise<DriverId[]> {
  const { driverId, durationMs, at: writtenAt } = serviceCredits;
  const rows = await db
    .select({ driverId })
    .from(serviceCredits)
    .where(and(lt(writtenAt, to), after === null ? undefined : gt(driverId, after)))
    .groupBy(driverId)
    .having(sql`max(${writtenAt}) + sum(max(${durationMs}, 0)) >= ${from}`)
    .orderBy(asc(driverId))
    .limit(limit);
  return rows.map((row) => row.driverId);
}

/** The service time that is owed at the end of a day, by the journal. */
export async function loadOwedTime(db: Db, day: number): Promise<DurationMs> {
  const booked = bookedUpTo(db, day);
  const [row] = await db
    .select({ ms: sum(booked.amount).mapWith(Number) })
    .from(booked)
    .where(eq(booked.account, "time_owed"));
  return -(row?.ms ?? 0) + 0;
}

/** Books lines on a day that is over and not closed yet. Safe to repeat. */
export async function bookOnDay(
  db: Db,
  lines: readonly JournalLine[],
  { day, now }: { day: number; now: EpochMs },
): Promise<void> {
  const isOpen = sql`NOT EXISTS (SELECT 1 FROM ${journalDays} WHERE ${journalDays.day} >= ${day})`;
  const rows = lines.map((line) => ({ ...line, day, at: now }));
  if (rows.length > 0) await insertRows(db, journal, rows, isOpen).onConflictDoNothing();
}
