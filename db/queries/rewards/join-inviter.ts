import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { inviteCodes, invitations, invitedNumbers } from "../../schema/rewards.ts";
import { users } from "../../schema/drivers.ts";

/** The new record. */
const own = alias(users, "own");
const invited = alias(invitations, "invited");

/**
 * The statements that connect a new record to who invited it, for the batch that writes the record; they change nothing
 * when repeated. The link decides, and without one the earliest invitation of the number. A trial that somebody spent
 * points on is the number's once, and begins with the first switch-on.
 * @param newId the id of the invitation that a link leads to
 */
export function joinInviterStatements(
  db: Db,
  { driverId, newId, now }: { driverId: DriverId; newId: string; now: EpochMs },
) {
  const ownRecord = sql`(SELECT * FROM ${users} WHERE ${users.id} = ${driverId}) ${own}`;
  const inviterByLink = sql`(SELECT ${inviteCodes.driverId} FROM ${inviteCodes} JOIN ${ownRecord} ON ${own.referral} = ${inviteCodes.code}
    WHERE ${inviteCodes.driverId} <> ${own.id})`;
  const hasInviter = sql`EXISTS (SELECT 1 FROM ${invitations} WHERE ${invitations.friendId} = ${driverId})`;
  return [
    db
      .update(invitations)
      .set({ friendId: driverId })
      .where(
        sql`${invitations.id} = (SELECT ${invited.id} FROM ${invitations} ${invited}
            JOIN ${ownRecord} ON ${own.phoneNumber} = ${invited.phoneNumber}
            WHERE ${invited.friendId} IS NULL AND ${invited.completedAt} IS NULL AND ${invited.inviterId} <> ${own.id}
              AND ${invited.createdAt} <= ${own.createdAt}
              AND ${invited.inviterId} = coalesce(${inviterByLink}, ${invited.inviterId})
            ORDER BY ${invited.createdAt} LIMIT 1)
          AND NOT ${hasInviter}`,
      ),
    insertWhere(
      db,
      invitations,
      {
        id: newId,
        inviterId: inviterByLink,
        friendId: driverId,
        hasTrial: false,
        revocations: 0,
        createdAt: now,
      },
      sql`${inviterByLink} IS NOT NULL AND NOT ${hasInviter}`,
    ).onConflictDoNothing(),
    db
      .update(users)
      .set({ trialPending: true })
      .where(
        sql`${users.id} = ${driverId}
          AND EXISTS (SELECT 1 FROM ${invitations} WHERE ${invitations.phoneNumber} = ${users.phoneNumber}
            AND ${invitations.hasTrial} = 1 AND ${invitations.createdAt} <= ${users.createdAt})
          AND NOT EXISTS (SELECT 1 FROM ${invitedNumbers} WHERE ${invitedNumbers.phoneNumber} = ${users.phoneNumber}
            AND ${invitedNumbers.trialAt} IS NOT NULL)`,
      ),
    insertFrom(
      db,
      invitedNumbers,
      { phoneNumber: sql`${own.phoneNumber}`, trialAt: now },
      sql`FROM ${ownRecord} WHERE ${own.trialPending} = 1`,
    ).onConflictDoUpdate({
      target: invitedNumbers.phoneNumber,
      set: { trialAt: sql`coalesce(${invitedNumbers.trialAt}, ${excluded(invitedNumbers.trialAt)})` },
    }),
  ] as const;
}
