import { and, asc, gte, lte, max, sql, sum, type SQL } from "drizzle-orm";
import type { JournalLine } from "../../shapes/money/journal.ts";
import { DAY_MS, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { paymentOfSource } from "../../shapes/money/ledger-source.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { pointEntries } from "../../schema/payments.ts";
import { journal, journalDays } from "../../schema/money.ts";

/** The day on which something is booked now: the present one, or the first that is not closed where a clock is behind. */
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

/** A line with when it came about, which may be before the day on which it is booked. */
export type DatedLine = JournalLine & { at: EpochMs };

/** Books lines that belong to no other effect. Safe to repeat. */
export async function bookLines(db: Db, lines: readonly DatedLine[], now: EpochMs): Promise<void> {
  const [first, ...rest] = journalStatements(db, lines, { now, where: sql`1` });
  if (first) await db.batch([first, ...rest]);
}

/** The statements that book an entry of the points ledger as it was written: it may have taken less than was asked. */
export function pointsJournal(db: Db, source: string, { now, where }: { now: EpochMs; where: SQL }) {
  const line = (account: "points_owed" | "points_given", sign: 1 | -1) =>
    insertFrom(
      db,
      journal,
      {
        entry: `points:${source}`,
        account,
        unit: "points",
        amount: sql`${sign} * ${pointEntries.points}`,
        paymentId: paymentOfSource(source),
        day: bookingDay(now),
        at: now,
      },
      sql`FROM ${pointEntries} WHERE ${pointEntries.source} = ${source} AND ${where}`,
    ).onConflictDoNothing();
  return [line("points_given", 1), line("points_owed", -1)];
}

/** Closes all days before the present one, up to which anything was booked. Safe to repeat. */
export async function closeJournalDays(db: Db, now: EpochMs): Promise<void> {
  const today = Math.floor(now / DAY_MS);
  await db
    .insert(journalDays)
    .values({ day: today - 1, closedAt: now })
    .onConflictDoNothing();
}

/** The lines of some days, oldest first. */
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
  return db
    .select({ account: journal.account, unit: journal.unit, amount: sum(journal.amount).mapWith(Number) })
    .from(journal)
    .where(sql`${journal.day} <= ${upToDay}`)
    .groupBy(journal.unit, journal.account);
}

/** The last day that is closed; null if none is. */
export async function loadLastClosedDay(db: Db): Promise<number | null> {
  const [row] = await db.select({ day: max(journalDays.day) }).from(journalDays);
  return row?.day ?? null;
}
