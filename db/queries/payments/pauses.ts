import { and, eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import {
  MIN_SERVICE_MS,
  pauseEndSource,
  pauseSource,
  type PauseObstacle,
  type PauseTime,
} from "../../shapes/money/pause.ts";
import { DAY_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { driverQueries, readDriver, type DriverRecord } from "../accounts/drivers.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { spots } from "../../schema/spots.ts";
import { wakeRenewal } from "./renewals.ts";
import {
  atAfterLedger,
  serviceLedgerQuery,
  readPauses,
  serviceUntilOf,
  type ServiceEntry,
} from "./service-time.ts";

const own = alias(spots, "own");

/** A driver's pauses, the end of their service, and the obstacle to a further pause. */
export type PauseStatus = { time: PauseTime; serviceUntil: EpochMs | null; obstacle: PauseObstacle | null };

/** Another driver waits in this driver's city. */
function isContested(driverId: DriverId) {
  return sql<boolean>`EXISTS (SELECT 1 FROM ${spots} WHERE ${spots.status} = 'waiting'
    AND ${spots.city} = (SELECT ${own.city} FROM ${spots} ${own} WHERE ${own.driverId} = ${driverId}))`;
}

/** The queries of `loadPauseStatus`, for the batch of a change after which it is read. */
function pauseQueries(db: Db, driverId: DriverId) {
  return [
    serviceLedgerQuery(db, driverId),
    db
      .select({ waits: users.waitingForSpot, isContested: isContested(driverId).mapWith(Boolean) })
      .from(users)
      .where(eq(users.id, driverId)),
  ] as const;
}

type PauseRows = readonly [
  entries: readonly ServiceEntry[],
  facts: readonly { waits: boolean; isContested: boolean }[],
];

function readPauseStatus([entries, [facts]]: PauseRows, now: EpochMs): PauseStatus {
  const time = readPauses(entries, now);
  const serviceUntil = serviceUntilOf(entries);
  const obstacleOf = (): PauseObstacle | null => {
    if (facts?.waits) return "waiting";
    if (facts?.isContested) return "contested";
    if (time.pausesLeft === 0 || time.daysLeft === 0) return "used_up";
    return (serviceUntil ?? 0) - now < MIN_SERVICE_MS ? "short" : null;
  };
  return { time, serviceUntil, obstacle: obstacleOf() };
}

/** In one trip. */
export async function loadPauseStatus(db: Db, driverId: DriverId, now: EpochMs): Promise<PauseStatus> {
  return readPauseStatus(await db.batch(pauseQueries(db, driverId)), now);
}

/** The status after a change, and the driver's record, which must reach their object. */
type ChangedPause = { status: PauseStatus; record: DriverRecord | null };

/**
 * Pauses a driver's service from now on. Repeated, or begun in two places at once, it is one pause: the source of a driver's
 * nth pause is unique. None begins if somebody has begun to wait for a spot since the status was read.
 */
export function beginPause(
  db: Db,
  driverId: DriverId,
  { days, time, now }: { days: number; time: PauseTime; now: EpochMs },
): Promise<ChangedPause> {
  const isPossible = sql`NOT ${isContested(driverId)} AND EXISTS (SELECT 1 FROM ${users}
    WHERE ${users.id} = ${driverId} AND ${users.waitingForSpot} = 0)`;
  const entry = { source: pauseSource(driverId, time.count + 1), durationMs: days * DAY_MS };
  return writeEntry(db, driverId, { entry, where: isPossible, now });
}

/**
 * Ends the current pause and takes the rest of it off the end of the service. Repeated, it does nothing.
 * @param pause the latest one, by its source and its end
 */
export function endPause(
  db: Db,
  driverId: DriverId,
  { pause, now }: { pause: { latest: string; until: EpochMs }; now: EpochMs },
): Promise<ChangedPause> {
  const entry = { source: pauseEndSource(pause.latest), durationMs: now - pause.until };
  return writeEntry(db, driverId, { entry, where: sql`1`, now });
}

/** Writes an entry once. The renewal follows the new end of the service, and the record says that it changed. */
async function writeEntry(
  db: Db,
  driverId: DriverId,
  { entry, where, now }: { entry: Pick<ServiceEntry, "source" | "durationMs">; where: SQL; now: EpochMs },
): Promise<ChangedPause> {
  const isWritten = sql`EXISTS (SELECT 1 FROM ${serviceCredits} WHERE ${serviceCredits.source} = ${entry.source})`;
  const row = { ...entry, driverId, at: atAfterLedger(sql`${driverId}`, now) };
  const [, , , entries, facts, ...rows] = await db.batch([
    insertWhere(db, serviceCredits, row, where).onConflictDoNothing(),
    wakeRenewal(db, driverId, { now, where: isWritten }),
    db
      .update(users)
      .set({ revision: sql`${users.revision} + 1` })
      .where(and(eq(users.id, driverId), isWritten)),
    ...pauseQueries(db, driverId),
    ...driverQueries(db, driverId),
  ]);
  return { status: readPauseStatus([entries, facts], now), record: readDriver(rows) };
}
