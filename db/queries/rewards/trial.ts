import { eq, sql } from "drizzle-orm";
import { DAY_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { wakeRenewal } from "../payments/renewals.ts";
import { atAfterLedger } from "../payments/service-time.ts";

/**
 * Switches a driver on for the first time, which begins the trial that a friend gave: its day is credited once. A driver who
 * has come to wait for a spot keeps it.
 */
export async function switchOnWithTrial(db: Db, driverId: DriverId, now: EpochMs): Promise<void> {
  const begins = sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId} AND ${users.trialPending} = 1
    AND ${users.waitingForSpot} = 0)`;
  await db.batch([
    insertWhere(
      db,
      serviceCredits,
      {
        source: `trial:${driverId}`,
        driverId,
        durationMs: DAY_MS,
        at: atAfterLedger(sql`${driverId}`, now),
      },
      begins,
    ).onConflictDoNothing(),
    wakeRenewal(db, driverId, { now, where: begins }),
    db
      .update(users)
      .set({
        switchedOn: true,
        trialPending: sql`${users.trialPending} AND ${users.waitingForSpot}`,
        revision: sql`${users.revision} + 1`,
      })
      .where(eq(users.id, driverId)),
  ]);
}
