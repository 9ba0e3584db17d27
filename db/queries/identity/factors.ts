import { eq } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolUsers } from "../../schema/identity.ts";
import { noteAccountChange } from "../accounts/account-changes.ts";
import { noteAccountNotice } from "../accounts/account-notices.ts";
import type { PoolUser } from "./pool-users.ts";

/** Changes an account's second factors, and has its number told. */
export async function changeFactors(
  db: Db,
  { id: userId, phoneNumber }: Pick<PoolUser, "id" | "phoneNumber">,
  change: Partial<
    Pick<PoolUser, "smsMfa" | "softwareTokenMfa" | "preferredMfa" | "totpSecret" | "totpPending" | "totpName">
  >,
  now: EpochMs,
): Promise<void> {
  await db.batch([
    ...noteAccountNotice(db, { userId, kind: "factors", phoneNumber, now }),
    db.update(poolUsers).set(change).where(eq(poolUsers.id, userId)),
    noteAccountChange(db, { userId, now }),
  ]);
}
