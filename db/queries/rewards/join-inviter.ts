import { sql } from "drizzle-orm";
import { DAY_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { inviteCodes, invitations, invitedNumbers } from "../../schema/rewards.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { atAfterLedger } from "../payments/service-credit-at.ts";

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
  const own = sql`(SELECT * FROM ${users} WHERE id = ${driverId})`;
  const inviterByLink = sql`(SELECT code.driver_id FROM ${inviteCodes} code JOIN ${own} own ON own.referral = code.code
    WHERE code.driver_id <> own.id)`;
  const hasInviter = sql`EXISTS (SELECT 1 FROM ${invitations} WHERE friend_id = ${driverId})`;
  const trialSource = `trial:${driverId}`;
  return [
    db
      .update(invitations)
      .set({ friendId: driverId })
      .where(
        sql`id = (SELECT invited.id FROM ${invitations} invited JOIN ${own} own ON own.phone_number = invited.phone_number
            WHERE invited.friend_id IS NULL AND invited.completed_at IS NULL AND invited.inviter_id <> own.id
              AND invited.created_at <= own.created_at
              AND invited.inviter_id = coalesce(${inviterByLink}, invited.inviter_id)
            ORDER BY invited.created_at LIMIT 1)
          AND NOT ${hasInviter}`,
      ),
    db
      .insert(invitations)
      .select(
        sql`SELECT ${newId}, ${inviterByLink}, NULL, ${driverId}, 0, NULL, NULL, NULL, 0, ${now}
          WHERE ${inviterByLink} IS NOT NULL AND NOT ${hasInviter}`,
      )
      .onConflictDoNothing(),
    db
      .insert(serviceCredits)
      .select(
        sql`SELECT ${trialSource}, own.id, ${DAY_MS}, ${atAfterLedger(sql`own.id`, now)} FROM ${own} own
          WHERE EXISTS (SELECT 1 FROM ${invitations} gift WHERE gift.phone_number = own.phone_number
              AND gift.has_trial = 1 AND gift.created_at <= own.created_at)
            AND NOT EXISTS (SELECT 1 FROM ${invitedNumbers} known WHERE known.phone_number = own.phone_number
              AND known.trial_at IS NOT NULL)`,
      )
      .onConflictDoNothing(),
    db
      .insert(invitedNumbers)
      .select(
        sql`SELECT own.phone_number, NULL, ${now}, NULL FROM ${own} own
          WHERE EXISTS (SELECT 1 FROM ${serviceCredits} WHERE source = ${trialSource})`,
      )
      .onConflictDoUpdate({
        target: invitedNumbers.phoneNumber,
        set: { trialAt: sql`coalesce(${invitedNumbers.trialAt}, excluded.trial_at)` },
      }),
  ] as const;
}
