import { eq, sql } from "drizzle-orm";
import { isPauseGrant } from "../../shapes/money/pause.ts";
import type { DriverId, DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { jsonRows } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { serviceCredits } from "../../schema/drivers.ts";
import { spots } from "../../schema/spots.ts";
import { wakeRenewal } from "../payments/renewals.ts";
import {
  atAfterLedger,
  serviceLedgerQuery,
  serviceUsedMs,
  type ServiceEntry,
} from "../payments/service-time.ts";

/** A driver's spot and service ledger, from which the days that they waited are computed. */
export type Wait = { row: typeof spots.$inferSelect | null; entries: readonly ServiceEntry[] };

export async function loadWait(db: Db, driverId: DriverId): Promise<Wait> {
  const [[row], entries] = await db.batch([
    db.select().from(spots).where(eq(spots.driverId, driverId)),
    serviceLedgerQuery(db, driverId),
  ]);
  return { row: row ?? null, entries };
}

/**
 * Returns the days that ran while a driver was in line, as those that a friend's payment gave: nothing could be captured
 * in them. For the batch that ends the wait by a spot or another city's line, after its update, which sets `since` to `now`.
 */
export function waitedDaysStatements(
  db: Db,
  driverId: DriverId,
  { wait, now }: { wait: Wait; now: EpochMs },
) {
  const waited = waitedDays(wait, now);
  return waited.length === 0 ? [] : giveDaysBack(db, driverId, { waited, now });
}

/** The same in a fixed number of statements, so that the results of those after it can be found. */
export function anyWaitedDaysStatements(
  db: Db,
  driverId: DriverId,
  { wait, now }: { wait: Wait; now: EpochMs },
) {
  return giveDaysBack(db, driverId, { waited: waitedDays(wait, now), now });
}

type WaitedDays = { source: string; durationMs: DurationMs }[];

function waitedDays({ row, entries }: Wait, now: EpochMs): WaitedDays {
  if (row?.status !== "waiting" && row?.status !== "offered") return [];
  // A pause is no service that ran.
  const used = [...serviceUsedMs(entries, { from: row.since, to: now })];
  return (
    used
      .filter(([grant]) => !isPauseGrant(grant))
      // Has the grant's name, so that revoking the grant takes these days too.
      .map(([grant, durationMs]) => ({ source: `${grant}:waited:${row.since}`, durationMs }))
  );
}

function giveDaysBack(db: Db, driverId: DriverId, { waited, now }: { waited: WaitedDays; now: EpochMs }) {
  const isOver = sql`EXISTS (SELECT 1 FROM ${spots}
    WHERE ${spots.driverId} = ${driverId} AND ${spots.since} = ${now})`;
  const { source: days, field } = jsonRows(waited);
  return [
    insertFrom(
      db,
      serviceCredits,
      {
        source: field("source"),
        driverId,
        durationMs: field("durationMs"),
        at: atAfterLedger(sql`${driverId}`, now),
      },
      sql`FROM ${days} WHERE ${isOver}`,
    ).onConflictDoNothing(),
    wakeRenewal(db, driverId, { now, where: waited.length === 0 ? sql`0` : isOver }),
  ] as const;
}
