import { sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { DAY_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { inviteCodes, invitations, invitedNumbers } from "../../schema/rewards.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { atAfterLedger } from "../payments/service-credit-at.ts";

/** The new record. */
const own = alias(users, "own");
const invited = alias(invitations, "invited");

/**
 * The statements that connect a new record to who invited it, for the batch that writes the record; they change nothing
 * when repeated. The link decides, and without one the earliest invitation of the number. A trial that somebody spent
 * points on is credited once per number.
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
  const trialSource = `trial:${driverId}`;
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
    insertFrom(
      db,
      serviceCredits,
      {
        source: trialSource,
        driverId: sql`${own.id}`,
        durationMs: DAY_MS,
        at: atAfterLedger(sql`${own.id}`, now),
      },
      sql`FROM ${ownRecord}
        WHERE EXISTS (SELECT 1 FROM ${invitations} WHERE ${invitations.phoneNumber} = ${own.phoneNumber}
            AND ${invitations.hasTrial} = 1 AND ${invitations.createdAt} <= ${own.createdAt})
          AND NOT EXISTS (SELECT 1 FROM ${invitedNumbers} WHERE ${invitedNumbers.phoneNumber} = ${own.phoneNumber}
            AND ${invitedNumbers.trialAt} IS NOT NULL)`,
    ).onConflictDoNothing(),
    insertFrom(
      db,
      invitedNumbers,
      { phoneNumber: sql`${own.phoneNumber}`, trialAt: now },
      sql`FROM ${ownRecord}
        WHERE EXISTS (SELECT 1 FROM ${serviceCredits} WHERE ${serviceCredits.source} = ${trialSource})`,
    ).onConflictDoUpdate({
      target: invitedNumbers.phoneNumber,
      set: { trialAt: sql`coalesce(${invitedNumbers.trialAt}, ${excluded(invitedNumbers.trialAt)})` },
    }),
  ] as const;
}
