import { max, sql, sum, type SQL } from "drizzle-orm";
import type { JournalLine } from "../../shapes/money/journal.ts";
import { DAY_MS, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
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
    insertWhere(db, journal, { ...line, day: bookingDay(now), at: now }, where).onConflictDoNothing(),
  );
}

/** Closes all days before the present one, up to which anything was booked. Safe to repeat. */
export async function closeJournalDays(db: Db, now: EpochMs): Promise<void> {
  const today = Math.floor(now / DAY_MS);
  await db
    .insert(journalDays)
    .values({ day: today - 1, closedAt: now })
    .onConflictDoNothing();
}

/** What each account holds in each unit, up to a day. */
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
