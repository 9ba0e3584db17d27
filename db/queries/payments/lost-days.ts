import { and, desc, eq, gt, sql, sum } from "drizzle-orm";
import { isPauseGrant } from "../../shapes/money/pause.ts";
import { outageSource } from "../../shapes/money/ledger-source.ts";
import type { LocalDate } from "../../shapes/work/local-date.ts";
import { DAY_MS, type DriverId, type DurationMs, type EpochMs, type Period } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { lostDays, serviceCredits, users } from "../../schema/drivers.ts";
import { wakeRenewal } from "./renewals.ts";
import { atAfterLedger, serviceLedgerQuery, serviceUsedMs, type ServiceEntry } from "./service-time.ts";

/** A day on which the system could not work for a driver. */
export type LostDay = typeof lostDays.$inferSelect;

/** The most days that are shown. */
const SHOWN = 31;

/**
 * Shares lost time among the grants that ran on a day, never more than ran of each. A grant of which anything was taken back
 * gets none: its money or its points went back to the driver. During a pause no service ran.
 */
export function shareLost(
  entries: readonly ServiceEntry[],
  { lostMs, day }: { lostMs: DurationMs; day: Period },
): { grant: string; ms: DurationMs }[] {
  let left = Math.min(lostMs, DAY_MS);
  return [...serviceUsedMs(entries, day)].flatMap(([grant, usedMs]) => {
    const ms = isPauseGrant(grant) || isTakenBack(entries, grant) ? 0 : Math.min(left, usedMs);
    left -= ms;
    return ms > 0 ? [{ grant, ms }] : [];
  });
}

function isTakenBack(entries: readonly ServiceEntry[], grant: string): boolean {
  return entries.some(
    ({ source, durationMs }) =>
      durationMs < 0 &&
      source.startsWith(`${grant}:`) &&
      !entries.some((entry) => entry.source === `${source}:undone`),
  );
}

/**
 * Stores a driver's finished day, and gives lost time back as service, in one transaction and only once, whoever repeats it.
 * @param fromMs the least lost time that is given back; null if none is
 * @returns how much was given now: nothing if the day was stored before
 * @throws {LedgerChangedError} if the ledger changed meanwhile: nothing was stored
 */
export async function storeLostDay(
  db: Db,
  {
    driverId,
    date,
    lostMs,
    day,
    fromMs,
    now,
  }: {
    driverId: DriverId;
    date: LocalDate;
    lostMs: DurationMs;
    day: Period;
    fromMs: DurationMs | null;
    now: EpochMs;
  },
): Promise<DurationMs> {
  const entries = await serviceLedgerQuery(db, driverId);
  const shares = fromMs === null || lostMs <= fromMs ? [] : shareLost(entries, { lostMs, day });
  const givenMs = shares.reduce((total, { ms }) => total + ms, 0);
  const isSame = sql`(SELECT count(*) FROM ${serviceCredits} WHERE ${serviceCredits.driverId} = ${driverId}) = ${entries.length}`;
  const isKnown = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId})`;
  const isStored = sql`EXISTS (SELECT 1 FROM ${lostDays}
    WHERE ${lostDays.driverId} = ${driverId} AND ${lostDays.date} = ${date} AND ${lostDays.at} = ${now} AND ${lostDays.givenMs} > 0)`;
  const first = outageSource(shares[0]?.grant ?? "", date);
  const isFirst = sql`${isStored} AND NOT EXISTS (SELECT 1 FROM ${serviceCredits} WHERE ${serviceCredits.source} = ${first})`;
  const [stored] = await db.batch([
    insertWhere(db, lostDays, { driverId, date, lostMs, givenMs, at: now }, sql`${isKnown} AND ${isSame}`)
      .onConflictDoNothing()
      .returning({ givenMs: lostDays.givenMs }),
    db
      .update(users)
      .set({ revision: sql`${users.revision} + 1` })
      .where(and(eq(users.id, driverId), isFirst)),
    wakeRenewal(db, driverId, { now, where: isFirst }),
    ...shares.map(({ grant, ms }) =>
      insertWhere(
        db,
        serviceCredits,
        {
          source: outageSource(grant, date),
          driverId,
          durationMs: ms,
          at: atAfterLedger(sql`${driverId}`, now),
        },
        isStored,
      ).onConflictDoNothing(),
    ),
  ]);
  if (stored[0]) return stored[0].givenMs;
  const [known] = await db
    .select({ at: lostDays.at })
    .from(lostDays)
    .where(and(eq(lostDays.driverId, driverId), eq(lostDays.date, date)));
  if (!known) throw new LedgerChangedError();
  return 0;
}

/** The service ledger changed between reading and writing, or the driver is gone. */
class LedgerChangedError extends Error {
  override name = "LedgerChangedError";
}

/** The driver's latest days with lost time, newest first. */
export function listLostDays(db: Db, driverId: DriverId): Promise<LostDay[]> {
  return db
    .select()
    .from(lostDays)
    .where(eq(lostDays.driverId, driverId))
    .orderBy(desc(lostDays.date))
    .limit(SHOWN);
}

/** The time that was given back to all drivers since an instant. */
export async function sumGivenBack(db: Db, since: EpochMs): Promise<DurationMs> {
  const [row] = await db
    .select({ ms: sum(lostDays.givenMs).mapWith(Number) })
    .from(lostDays)
    .where(gt(lostDays.at, since));
  return row?.ms ?? 0;
}
