import { and, eq, gt, lt, or, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { guesses } from "../../schema/security.ts";
import { poolAttempts, poolUsers } from "../../schema/identity.ts";
import { noteAccountNotice } from "../accounts/account-notices.ts";
import { deleteUnconfirmed } from "../identity/phone.ts";
import { revokeSessions } from "../identity/sessions.ts";
import { leaveChange } from "./effects.ts";

// The effects of an act on an account, for the batch that writes the act. Each statement does nothing unless `where` holds.

type Effect = { driverId: DriverId; now: EpochMs; where: SQL };

/** An account's own counters and those of browsers that it knows: names that begin with its id. */
function guessesOf(column: typeof guesses.subject | typeof poolAttempts.subject, driverId: DriverId) {
  return or(eq(column, driverId), and(gt(column, `${driverId} `), lt(column, `${driverId}!`)));
}

/** How long sign-ins of an account are held up, and by how many wrong guesses. */
export async function loadLocks(db: Db, driverId: DriverId, now: EpochMs) {
  const [[counted], [short]] = await db.batch([
    db
      .select({
        wrong: sql<number>`coalesce(sum(${guesses.wrong}), 0)`,
        until: sql<EpochMs | null>`max(${guesses.lockedUntil})`,
      })
      .from(guesses)
      .where(guessesOf(guesses.subject, driverId)),
    db
      .select({ until: sql<EpochMs | null>`max(${poolAttempts.lockedUntil})` })
      .from(poolAttempts)
      .where(attemptsOf(driverId)),
  ]);
  const until = Math.max(counted?.until ?? 0, short?.until ?? 0);
  return { wrong: counted?.wrong ?? 0, until: until > now ? until : null };
}

/** Forgets the wrong guesses of an account, whichever browser made them. */
export function unlockEffects(db: Db, { driverId, where }: Effect) {
  return [
    db.delete(guesses).where(and(guessesOf(guesses.subject, driverId), where)),
    db.delete(poolAttempts).where(and(attemptsOf(driverId), where)),
  ];
}

/** The short locks are named by what was tried, then whose it was. */
function attemptsOf(driverId: DriverId) {
  return sql`${poolAttempts.subject} LIKE ${`%${driverId}%`}`;
}

/** That an account has a number, and no other account that was confirmed has the new one. */
export function canChangeNumber({
  driverId,
  from,
  to,
}: {
  driverId: DriverId;
  from: string;
  to: string;
}): SQL {
  return sql`EXISTS (SELECT 1 FROM ${poolUsers} WHERE ${poolUsers.id} = ${driverId} AND ${poolUsers.phoneNumber} = ${from})
    AND NOT ${isTaken({ driverId, to })}`;
}

function isTaken({ driverId, to }: { driverId: DriverId; to: string }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${poolUsers} WHERE ${poolUsers.phoneNumber} = ${to}
    AND ${poolUsers.id} <> ${driverId} AND ${poolUsers.status} <> 'UNCONFIRMED')`;
}

/** Whether another account has the number. */
export async function isNumberTaken(db: Db, given: { driverId: DriverId; to: string }): Promise<boolean> {
  const [row] = await db.select({ taken: sql<number>`${isTaken(given)}` }).from(sql`(SELECT 1)`);
  return row?.taken === 1;
}

/** The account signs in by the new number alone; the former one gets the text with the link that undoes it. */
export function changeNumberEffects(
  db: Db,
  { driverId, now, where }: Effect,
  { from, to }: { from: string; to: string },
) {
  return [
    deleteUnconfirmed(db, { phoneNumber: to, userId: driverId }, where),
    noteAccountNotice(db, { userId: driverId, kind: "phone", phoneNumber: from, now, isMade: where })[1],
    db
      .update(poolUsers)
      .set({ phoneNumber: to, phoneVerified: true, pendingPhone: null })
      .where(and(eq(poolUsers.id, driverId), where)),
    revokeSessions(db, { userId: driverId, now }, where),
    leaveChange(db, { driverId, now, where }),
  ];
}
