import { and, eq, sql } from "drizzle-orm";
import type { DriverId } from "../../shapes/units.ts";
import type { WonDay } from "../../shapes/log/driver-log.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertRows } from "../../insert-where.ts";
import { users, wonDays } from "../../schema/drivers.ts";

/** The sums of all of a driver's days. */
export async function listWonDays(db: Db, driverId: DriverId): Promise<WonDay[]> {
  const { day, currency, blocks, payCents, minutes } = wonDays;
  return db
    .select({ day, currency, blocks, payCents, minutes })
    .from(wonDays)
    .where(eq(wonDays.driverId, driverId));
}

/** Replaces the sums of days by these, one for each day and currency: they are never added to what is there. */
export async function replaceWonDays(
  db: Db,
  { driverId, days }: { driverId: DriverId; days: readonly number[] },
  sums: readonly WonDay[],
): Promise<void> {
  const { blocks, payCents, minutes } = wonDays;
  const kept = JSON.stringify(sums.map(({ day, currency }) => [day, currency]));
  await db.batch([
    db
      .delete(wonDays)
      .where(
        and(
          eq(wonDays.driverId, driverId),
          sql`${wonDays.day} IN (SELECT value FROM json_each(${JSON.stringify(days)}))`,
          sql`(${wonDays.day}, ${wonDays.currency}) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(${kept}))`,
        ),
      ),
    // Sums that arrive after the account was deleted bring nothing back.
    insertRows(
      db,
      wonDays,
      sums.map((sum) => ({ driverId, ...sum })),
      sql`EXISTS (SELECT 1 FROM ${users} WHERE ${users.id} = ${driverId})`,
    ).onConflictDoUpdate({
      target: [wonDays.driverId, wonDays.day, wonDays.currency],
      set: { blocks: excluded(blocks), payCents: excluded(payCents), minutes: excluded(minutes) },
    }),
  ]);
}
