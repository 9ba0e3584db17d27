import { and, eq, exists, gte, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolCodes, poolNotices, poolUsers } from "../../schema/identity.ts";
import { users } from "../../schema/drivers.ts";
import { passkeysAsOf } from "../identity/passkeys.ts";
import { deleteUnconfirmed } from "../identity/phone.ts";
import { hasNumber } from "../identity/pool-users.ts";
import { revokeSessions } from "../identity/sessions.ts";
import { noteAccountChange } from "./account-changes.ts";
import type { AccountNotice } from "./account-notices.ts";

/**
 * Brings an account back to the number that got the text about a change, without second factors and signed out
 * everywhere, until a new password is set by a code to that number; texts to another number wait until it is proved again.
 * Passkeys are those of before the change: later ones go, and what was removed since is back.
 * The links of this change and of all later ones are used up, so that they can't undo this. Earlier ones stay: the oldest
 * number outranks all others.
 * @param keep the session that asks and stays, of a passkey from before the change
 * @returns `gone` if the change was undone by an earlier one's link in the meantime; `taken` if the number is a confirmed
 * account's of somebody else by now
 */
export async function undoAccountChange(
  db: Db,
  { id, userId, phoneNumber, changedAt }: Pick<AccountNotice, "id" | "userId" | "phoneNumber" | "changedAt">,
  now: EpochMs,
  keep: string | null = null,
): Promise<"undone" | "gone" | "taken"> {
  const others = alias(poolUsers, "others");
  const isTaken = db
    .select({ one: sql`1` })
    .from(others)
    .where(and(eq(others.phoneNumber, phoneNumber), ne(others.id, userId)));
  const standing = db.select({ id: poolNotices.id }).from(poolNotices).where(eq(poolNotices.id, id));
  const isUndone = and(
    exists(standing),
    hasNumber(db, { id: userId, phoneNumber }, eq(poolUsers.status, "RESET_REQUIRED")),
  );
  const [found, , undone] = await db.batch([
    standing,
    deleteUnconfirmed(db, { phoneNumber, userId }),
    db
      .update(poolUsers)
      .set({
        phoneNumber,
        phoneVerified: true,
        pendingPhone: null,
        status: "RESET_REQUIRED",
        smsMfa: false,
        softwareTokenMfa: false,
        preferredMfa: null,
        totpSecret: null,
        totpPending: null,
        totpName: null,
      })
      .where(and(eq(poolUsers.id, userId), exists(standing), notExists(isTaken)))
      .returning({ id: poolUsers.id }),
    revokeSessions(db, { userId, now, ...(keep !== null && { keep }) }, isUndone),
    ...passkeysAsOf(db, { userId, at: changedAt, isMade: isUndone }),
    db.delete(poolCodes).where(and(eq(poolCodes.userId, userId), isUndone)),
    db
      .update(users)
      .set({ preferredPhoneVerified: false, revision: sql`${users.revision} + 1` })
      .where(and(eq(users.id, userId), eq(users.preferredPhoneVerified, true), isUndone)),
    db
      .delete(poolNotices)
      .where(and(eq(poolNotices.userId, userId), gte(poolNotices.changedAt, changedAt), isUndone)),
    noteAccountChange(db, { userId, now }),
  ]);
  if (undone.length === 1) return "undone";
  return found.length === 1 ? "taken" : "gone";
}
