import { and, eq, exists, gt, inArray, ne, notExists, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { poolCodes, poolNotices, poolUsers } from "../../schema/identity.ts";
import { noteAccountChange } from "../accounts/account-changes.ts";
import { noteAccountNotice } from "../accounts/account-notices.ts";
import { isUnrevoked } from "./live-sessions.ts";
import { wasUsed, type OneTimeProof } from "./one-time-proofs.ts";
import { passkeysAsOf } from "./passkeys.ts";
import { revokeSessions } from "./sessions.ts";

/**
 * Makes the verified pending number the account's own, after deleting an unconfirmed account that has it, and ends the
 * account's other sessions.
 * The number before gets the text, unless the account returns to a number that a link would still bring it back to: then
 * the links of all others since are used up, and passkeys are those of before, as if by that link.
 * @param change.keep the session in which the number was verified
 * @param proof the code, used up by it
 * @returns `taken` if a confirmed account has it, if another number is pending by now, or if that session was ended; `used`
 * if the code was used before
 */
export async function confirmPendingPhone(
  db: Db,
  change: { userId: DriverId; phoneNumber: string; keep: string; now: EpochMs },
  proof?: OneTimeProof,
): Promise<"confirmed" | "taken" | "used"> {
  const { userId, phoneNumber, keep, now } = change;
  const others = alias(poolUsers, "others");
  const isConfirmed = db
    .select({ one: sql`1` })
    .from(poolUsers)
    .where(and(eq(poolUsers.id, userId), eq(poolUsers.phoneNumber, phoneNumber)));
  const isPending = and(
    eq(poolUsers.id, userId),
    eq(poolUsers.pendingPhone, phoneNumber),
    isUnrevoked(db, { originJti: keep, userId }),
    proof?.isUnused,
    notExists(
      db
        .select({ one: sql`1` })
        .from(others)
        .where(and(eq(others.phoneNumber, phoneNumber), ne(others.id, userId))),
    ),
  );
  const pending = db
    .select({ one: sql`1` })
    .from(poolUsers)
    .where(isPending);
  const returned = alias(poolNotices, "returned");
  const sinceReturned = db
    .select({ at: sql`min(${returned.changedAt})` })
    .from(returned)
    .where(
      and(eq(returned.userId, userId), eq(returned.phoneNumber, phoneNumber), gt(returned.expiresAt, now)),
    );
  const isReturn = sql`(${sinceReturned}) is not null`;
  const former = sql`(select ${poolUsers.phoneNumber} from ${poolUsers} where ${poolUsers.id} = ${userId})`;
  const results = await db.batch([
    deleteUnconfirmed(db, { phoneNumber, userId }, proof?.isUnused),
    db
      .delete(poolNotices)
      .where(
        and(
          eq(poolNotices.userId, userId),
          ne(poolNotices.phoneNumber, phoneNumber),
          sql`${poolNotices.changedAt} >= (${sinceReturned})`,
          exists(pending),
        ),
      ),
    ...passkeysAsOf(db, {
      userId,
      at: sql`(${sinceReturned})`,
      isMade: sql`${exists(pending)} and ${isReturn}`,
    }),
    // Read before the number changes: whoever began the change may have seen another one.
    ...noteAccountNotice(db, {
      userId,
      kind: "phone",
      phoneNumber: former,
      now,
      isMade: sql`${exists(pending)} and not ${isReturn}`,
    }),
    db
      .update(poolUsers)
      .set({ phoneNumber, phoneVerified: true, pendingPhone: null })
      .where(isPending)
      .returning({ id: poolUsers.id }),
    revokeSessions(db, { userId, now, keep }, exists(isConfirmed)),
    // These were sent to the number before, so nobody is to rely on them.
    db
      .update(poolCodes)
      .set({ expiresAt: 0 })
      .where(
        and(
          eq(poolCodes.userId, userId),
          inArray(poolCodes.purpose, ["reset", "sign_in"]),
          exists(isConfirmed),
        ),
      ),
    noteAccountChange(db, { userId, now }),
    ...(proof ? [proof.use] : []),
  ]);
  if (proof && !wasUsed(results.at(-1))) return "used";
  return results[6].length === 1 ? "confirmed" : "taken";
}

/** Deletes an account that was never confirmed and has a number that is about to be this user's. */
export function deleteUnconfirmed(
  db: Db,
  { phoneNumber, userId }: { phoneNumber: string; userId: DriverId },
  condition?: SQL,
) {
  return db
    .delete(poolUsers)
    .where(
      and(
        eq(poolUsers.phoneNumber, phoneNumber),
        eq(poolUsers.status, "UNCONFIRMED"),
        ne(poolUsers.id, userId),
        condition,
      ),
    );
}
