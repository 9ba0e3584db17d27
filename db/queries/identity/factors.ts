import { and, eq } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolUsers } from "../../schema/identity.ts";
import { noteAccountChange } from "../accounts/account-changes.ts";
import { noteAccountNotice } from "../accounts/account-notices.ts";
import { hasNumber, type PoolUser } from "./pool-users.ts";

/**
 * Changes an account's second factors, and has its number told.
 * @returns false if the account has another number by now
 */
export async function changeFactors(
  db: Db,
  { id: userId, phoneNumber }: Pick<PoolUser, "id" | "phoneNumber">,
  change: Partial<
    Pick<PoolUser, "smsMfa" | "softwareTokenMfa" | "preferredMfa" | "totpSecret" | "totpPending" | "totpName">
  >,
  now: EpochMs,
): Promise<boolean> {
  const isMade = hasNumber(db, { id: userId, phoneNumber });
  const [, , updated] = await db.batch([
    ...noteAccountNotice(db, { userId, kind: "factors", phoneNumber, now, isMade }),
    db
      .update(poolUsers)
      .set(change)
      .where(and(eq(poolUsers.id, userId), eq(poolUsers.phoneNumber, phoneNumber)))
      .returning({ id: poolUsers.id }),
    noteAccountChange(db, { userId, now }),
  ]);
  return updated.length === 1;
}
