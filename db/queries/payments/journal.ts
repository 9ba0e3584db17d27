import { and, asc, eq, gt, gte, lt, lte, max, not, sql, sum, type SQL, inArray, isNull } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { JournalAccount, JournalLine } from "../../shapes/money/journal.ts";
import { DAY_MS, type Cents, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { serviceCredits } from "../../schema/drivers.ts";
import { journal, journalBalances, journalDays } from "../../schema/money.ts";
import { pointEntries, paymentRefunds, payments } from "../../schema/payments.ts";
import { paymentStatus } from "../../shapes/money/plans.ts";
import { qualified } from "../../expressions.ts";

/** More than anybody corrects by hand. */
const UNBALANCED_LIMIT = 100;

/** The day on which something is booked now: the current one, or the first that isn't closed if a clock is behind. */
function bookingDay(now: EpochMs): SQL {
  return sql`max(${Math.floor(now / DAY_MS)}, coalesce((SELECT max(${journalDays.day}) + 1 FROM ${journalDays}), 0))`;
}

/** The statements that book an effect, for its batch. */
export function journalStatements(
  db: Db,
  lines: readonly JournalLine[],
  { now, where }: { now: EpochMs; where: SQL },
) {
  return lines.map((line) =>
    insertWhere(db, journal, { at: now, ...line, day: bookingDay(now) }, where).onConflictDoNothing(),
  );
}

/** A line with the instant of its effect, which may be before the day on which it is booked. */
export type DatedLine = JournalLine & { at: EpochMs };

/** Books lines that belong to no other effect. Safe to repeat. */
export async function bookLines(db: Db, lines: readonly DatedLine[], now: EpochMs): Promise<void> {
  const [first, ...rest] = journalStatements(db, lines, { now, where: sql`1` });
  if (first) await db.batch([first, ...rest]);
}

/** Closes all days before the current one, up to the last on which anything was booked, and adds them up. Safe to repeat. */
export async function closeJournalDays(db: Db, now: EpochMs): Promise<void> {
  const day = Math.floor(now / DAY_MS) - 1;
  const booked = bookedUpTo(db, day);
  const { account, unit, isUse, amount } = booked;
  await db.batch([
    db.insert(journalDays).values({ day, closedAt: now }).onConflictDoNothing(),
    insertFrom(
      db,
      journalBalances,
      {
        day,
        account: sql`${account}`,
        unit: sql`${unit}`,
        isUse: sql`${isUse}`,
        amount: sql`sum(${amount})`,
      },
      sql`FROM ${booked} WHERE 1 GROUP BY ${account}, ${unit}, ${isUse}`,
    ).onConflictDoNothing(),
  ]);
}

const added = alias(journalBalances, "added");

/**
 * All that is booked up to a day, as amounts to add up: the sums that the last closing wrote, and the lines after it. Closed
 * days never change, so their lines are read once.
 */
export function bookedUpTo(db: Db, day: number) {
  const addedUpTo = sql`coalesce((SELECT max(${added.day}) FROM ${journalBalances} ${added} WHERE ${added.day} <= ${day}), -1)`;
  const { account, unit, isUse, amount } = journalBalances;
  return db
    .select({ account, unit, isUse, amount })
    .from(journalBalances)
    .where(eq(journalBalances.day, addedUpTo))
    .unionAll(
      db
        .select({
          account: journal.account,
          unit: journal.unit,
          isUse: sql<boolean>`${journal.entry} LIKE 'used:%' OR ${journal.entry} LIKE 'untaken-%'`.as(
            "is_use",
          ),
          amount: journal.amount,
        })
        .from(journal)
        .where(and(gt(journal.day, addedUpTo), lte(journal.day, day))),
    )
    .as("booked");
}

/** The lines of a span of days, oldest first. */
export function listJournal(db: Db, { from, to, limit }: { from: number; to: number; limit: number }) {
  return db
    .select()
    .from(journal)
    .where(and(gte(journal.day, from), lte(journal.day, to)))
    .orderBy(asc(journal.day), asc(journal.at), asc(journal.entry), asc(journal.account))
    .limit(limit);
}

/** The sum of each account in each unit, up to a day. */
export function loadTrialBalance(db: Db, upToDay: number) {
  const booked = bookedUpTo(db, upToDay);
  return db
    .select({ account: booked.account, unit: booked.unit, amount: sum(booked.amount).mapWith(Number) })
    .from(booked)
    .groupBy(booked.unit, booked.account);
}

/** The revenue of each day in a span, less what was given back of it, each currency apart. */
export function listRevenue(db: Db, { from, to }: { from: number; to: number }) {
  return db
    .select({
      day: journal.day,
      currency: journal.unit,
      cents: sql<Cents>`-sum(${journal.amount})`,
    })
    .from(journal)
    .where(and(gte(journal.day, from), lte(journal.day, to), eq(journal.account, "revenue")))
    .groupBy(journal.unit, journal.day)
    .orderBy(asc(journal.unit), asc(journal.day));
}

/** Entries from a day on whose lines don't add up to zero: an entry's lines are of one day. */
export function listUnbalancedEntries(db: Db, from: number) {
  const amount = sum(journal.amount).mapWith(Number);
  return (
    db
      .select({ entry: journal.entry, unit: journal.unit, amount })
      .from(journal)
      .where(gte(journal.day, from))
      // With a plus, since SQLite would otherwise read all days in the order of the key.
      .groupBy(sql`+${journal.entry}`, journal.unit)
      .having(sql`sum(${journal.amount}) <> 0`)
      .limit(UNBALANCED_LIMIT)
  );
}

/** The total time and points that drivers were given, by the journal and by the ledgers. */
export async function loadBookedTotals(db: Db) {
  const booked = bookedUpTo(db, Number.MAX_SAFE_INTEGER);
  const owed = (account: JournalAccount) =>
    sql<number>`coalesce(-sum(iif(${booked.account} = ${account}, ${booked.amount}, 0)), 0)`.as(account);
  const [row] = await db
    .select({
      // As given and taken, whatever was used.
      journalMs: owed("time_owed"),
      journalPoints: owed("points_owed"),
      ledgerMs: sql<number>`(SELECT coalesce(sum(${serviceCredits.durationMs}), 0) FROM ${serviceCredits})`,
      ledgerPoints: sql<number>`(SELECT coalesce(sum(${pointEntries.points}), 0) FROM ${pointEntries})`,
    })
    .from(booked)
    .where(not(booked.isUse));
  return row ?? { journalMs: 0, ledgerMs: 0, journalPoints: 0, ledgerPoints: 0 };
}

/** Whether service that began before the end of a closed day was booked after it. */
export async function hasLateTime(db: Db, day: number): Promise<boolean> {
  const rows = await db
    .select({ entry: journal.entry })
    .from(journal)
    .where(and(gt(journal.day, day), eq(journal.account, "time_owed"), lt(journal.at, (day + 1) * DAY_MS)))
    .limit(1);
  return rows.length > 0;
}

/** The last day that is closed; null if none is. */
export async function loadLastClosedDay(db: Db): Promise<number | null> {
  const [row] = await db.select({ day: max(journalDays.day) }).from(journalDays);
  return row?.day ?? null;
}

/** Payments that were begun in a span, with the ledgers' sums for each. */
export function listBookedPayments(db: Db, { from, to }: { from: EpochMs; to: EpochMs }) {
  const { id, intentId, settledAt, createdAt, totalCents, currency, status } = payments;
  return (
    db
      .select({
        id,
        intentId,
        settledAt,
        createdAt,
        totalCents,
        currency,
        creditedMs: qualified(
          sql<number>`(SELECT coalesce(sum(${serviceCredits.durationMs}), 0) FROM ${serviceCredits}
            WHERE ${serviceCredits.source} = 'payment:' || ${id})`,
        ),
        returnedCents: qualified(
          sql<number>`(SELECT coalesce(sum(${paymentRefunds.cents}), 0) FROM ${paymentRefunds}
            WHERE ${paymentRefunds.paymentId} = ${id} AND ${paymentRefunds.isEffective} = 1)`,
        ),
        /** Null if the journal began after the payment was settled. */
        balanceCents: qualified(
          sql<number | null>`(SELECT sum(${journal.amount}) FROM ${journal} WHERE ${journal.paymentId} = ${id}
            AND ${journal.account} = 'stripe' AND ${journal.unit} = ${currency})`,
        ),
      })
      .from(payments)
      // One query per status, since the index begins with it.
      .where(and(inArray(status, [...paymentStatus.options]), gte(createdAt, from), lt(createdAt, to)))
  );
}

/** Movements of Stripe's balance that don't belong to a payment, in a span of Stripe's own time. */
export async function listBookedMovements(db: Db, { from, to }: { from: EpochMs; to: EpochMs }) {
  const rows = await db
    .select({ entry: journal.entry, cents: journal.amount, currency: journal.unit, at: journal.at })
    .from(journal)
    .where(
      and(
        eq(journal.account, "stripe"),
        isNull(journal.paymentId),
        gte(journal.day, Math.floor(from / DAY_MS)),
        gte(journal.at, from),
        lt(journal.at, to),
      ),
    );
  return rows.map(({ entry, ...row }) => {
    const [, type = "", id = ""] = entry.split(":");
    return { id, type, ...row };
  });
}
