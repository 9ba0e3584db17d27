import { and, eq, exists, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolCodes, poolNotices, poolSessions, poolUsers } from "../../schema/identity.ts";
import { deleteUnconfirmed } from "../identity/phone.ts";
import { noteAccountChange } from "./account-changes.ts";
import type { AccountNotice } from "./account-notices.ts";

/**
 * Brings an account back to the number that got the text about a change, without second factors and signed out
 * everywhere, until a new password is set by a code to that number. Every link of the account is used up, so that whoever
 * made the change can't undo this by one of theirs.
 * @returns false if the number is a confirmed account's of somebody else by now
 */
export async function undoAccountChange(
  db: Db,
  { userId, phoneNumber }: Pick<AccountNotice, "userId" | "phoneNumber">,
  now: EpochMs,
): Promise<boolean> {
  const others = alias(poolUsers, "others");
  const isTaken = db
    .select({ one: sql`1` })
    .from(others)
    .where(and(eq(others.phoneNumber, phoneNumber), ne(others.id, userId)));
  const isUndone = exists(
    db
      .select({ one: sql`1` })
      .from(poolUsers)
      .where(
        and(
          eq(poolUsers.id, userId),
          eq(poolUsers.phoneNumber, phoneNumber),
          eq(poolUsers.status, "RESET_REQUIRED"),
        ),
      ),
  );
  const [, undone] = await db.batch([
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
      .where(and(eq(poolUsers.id, userId), notExists(isTaken)))
      .returning({ id: poolUsers.id }),
    db
      .update(poolSessions)
      .set({ revokedAt: now })
      .where(and(eq(poolSessions.userId, userId), sql`${poolSessions.revokedAt} is null`, isUndone)),
    db.delete(poolCodes).where(and(eq(poolCodes.userId, userId), isUndone)),
    db.delete(poolNotices).where(and(eq(poolNotices.userId, userId), isUndone)),
    noteAccountChange(db, { userId, now }),
  ]);
  return undone.length === 1;
}
