import { lt } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { usedSeals } from "../../schema/drivers.ts";

/** Marks a sealed body as used; false if it was used before. Kept for as long as it could be sent again. */
export async function redeemSeal(
  db: Db,
  { digest, expiresAt }: { digest: string; expiresAt: EpochMs },
): Promise<boolean> {
  const added = await db
    .insert(usedSeals)
    .values({ digest, expiresAt })
    .onConflictDoNothing()
    .returning({ digest: usedSeals.digest });
  return added.length === 1;
}

/** Forgets the sealed bodies that are too old to be sent again. */
export async function deleteExpiredSeals(db: Db, now: EpochMs): Promise<void> {
  await db.delete(usedSeals).where(lt(usedSeals.expiresAt, now));
}
