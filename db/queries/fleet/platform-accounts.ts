import { desc, eq } from "drizzle-orm";
import type { DriverId } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { platformAccounts, users } from "../../schema/drivers.ts";
import { hasRecord } from "../accounts/has-record.ts";

/** An account of the platform, and whose object is linked to it. */
export type PlatformAccountClaim = typeof platformAccounts.$inferSelect;

/**
 * Claims an account of the platform for a driver; nothing is claimed once the driver's account is deleted.
 * @returns whose it is: the claim that stood before, if it is another driver's
 */
export async function claimPlatformAccount(
  db: Db,
  claim: PlatformAccountClaim,
): Promise<PlatformAccountClaim> {
  const { objectName, linkedAt } = claim;
  const [, [standing]] = await db.batch([
    insertWhere(db, platformAccounts, claim, hasRecord(claim.driverId)).onConflictDoUpdate({
      target: platformAccounts.accountId,
      set: { objectName, linkedAt },
      setWhere: eq(platformAccounts.driverId, claim.driverId),
    }),
    db.select().from(platformAccounts).where(eq(platformAccounts.accountId, claim.accountId)),
  ]);
  return standing ?? claim;
}

/** Gives an account to a driver whose claim another driver's object does not dispute. */
export async function takePlatformAccount(db: Db, claim: PlatformAccountClaim): Promise<void> {
  await insertWhere(db, platformAccounts, claim, hasRecord(claim.driverId)).onConflictDoUpdate({
    target: platformAccounts.accountId,
    set: claim,
  });
}

/** Whether a driver is known, and which object was linked last; null of both where nobody is. */
export async function loadLinkedObject(
  db: Db,
  driverId: DriverId,
): Promise<{ isLinked: boolean; objectName: string | null } | null> {
  const [row] = await db
    .select({ isLinked: users.proxyInstalled, objectName: platformAccounts.objectName })
    .from(users)
    .leftJoin(platformAccounts, eq(platformAccounts.driverId, users.id))
    .where(eq(users.id, driverId))
    .orderBy(desc(platformAccounts.linkedAt))
    .limit(1);
  return row ?? null;
}

/** The statement that forgets a driver's claims. */
export function platformAccountsOf(db: Db, driverId: DriverId) {
  return db.delete(platformAccounts).where(eq(platformAccounts.driverId, driverId));
}
