import { and, eq, exists, ne, notExists, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolSessions, poolUsers } from "../../schema/identity.ts";
import { noteAccountChange } from "../accounts/account-changes.ts";
import { noteAccountNotice } from "../accounts/account-notices.ts";

/**
 * Makes the verified pending number the account's own, after deleting an unconfirmed account that has it, and ends the
 * account's other sessions.
 * The number before gets the text.
 * @param change.former the number before
 * @param change.keep the session in which the number was verified
 * @returns false if a confirmed account has it, or if another number is pending by now
 */
export async function confirmPendingPhone(
  db: Db,
  {
    userId,
    phoneNumber,
    former,
    keep,
    now,
  }: { userId: DriverId; phoneNumber: string; former: string; keep: string; now: EpochMs },
): Promise<boolean> {
  const others = alias(poolUsers, "others");
  const isConfirmed = db
    .select({ one: sql`1` })
    .from(poolUsers)
    .where(and(eq(poolUsers.id, userId), eq(poolUsers.phoneNumber, phoneNumber)));
  const [, updated] = await db.batch([
    deleteUnconfirmed(db, { phoneNumber, userId }),
    db
      .update(poolUsers)
      .set({ phoneNumber, phoneVerified: true, pendingPhone: null })
      .where(
        and(
          eq(poolUsers.id, userId),
          eq(poolUsers.pendingPhone, phoneNumber),
          notExists(
            db
              .select({ one: sql`1` })
              .from(others)
              .where(and(eq(others.phoneNumber, phoneNumber), ne(others.id, userId))),
          ),
        ),
      )
      .returning({ id: poolUsers.id }),
    db
      .update(poolSessions)
      .set({ revokedAt: now })
      .where(
        and(
          eq(poolSessions.userId, userId),
          sql`${poolSessions.revokedAt} is null`,
          ne(poolSessions.originJti, keep),
          exists(isConfirmed),
        ),
      ),
    ...noteAccountNotice(db, {
      userId,
      kind: "phone",
      phoneNumber: former,
      now,
      isMade: exists(isConfirmed),
    }),
    noteAccountChange(db, { userId, now }),
  ]);
  return updated.length === 1;
}

/** Deletes an account that was never confirmed and has a number that is about to be this user's. */
export function deleteUnconfirmed(
  db: Db,
  { phoneNumber, userId }: { phoneNumber: string; userId: DriverId },
) {
  return db
    .delete(poolUsers)
    .where(
      and(
        eq(poolUsers.phoneNumber, phoneNumber),
        eq(poolUsers.status, "UNCONFIRMED"),
        ne(poolUsers.id, userId),
      ),
    );
}
