import { sql, type SQL } from "drizzle-orm";
import type { ServiceChangeKind } from "../../shapes/profile.ts";
import { INVITATION_DAYS } from "../../shapes/money/rewards.ts";
import { DAY_MS, type DriverId, type DurationMs, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { undeliveredServiceChanges } from "../../schema/payments.ts";
import { renewals } from "../../schema/renewal.ts";
import { invitations, invitedNumbers } from "../../schema/rewards.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { atAfterLedger } from "../payments/service-credit-at.ts";

/** What a payment does to the invitation of who made it: `grant` its inviter's free days, or take them back. */
export type InvitationChange = "grant" | "revoke";

const REWARD_MS: DurationMs = INVITATION_DAYS * DAY_MS;

type FriendPayment = { id: string; driverId: DriverId };
type Context = { now: EpochMs; isUnchanged: SQL };

/**
 * The statements of an invitation's change, for the batch that settles the friend's payment. Each applies only while the
 * payment is as it was loaded, so that parallel settlements grant once.
 */
export function invitationStatements(
  db: Db,
  payment: FriendPayment,
  { change, ...context }: Context & { change: InvitationChange },
) {
  return change === "grant" ? grantStatements(db, payment, context) : revokeStatements(db, payment, context);
}

/**
 * The friend's first paid plan completes the invitation, once per number. What a refund took comes back with the plan
 * that is paid after it, or if the refund fails.
 */
function grantStatements(db: Db, { id, driverId }: FriendPayment, { now, isUnchanged }: Context) {
  const isFirst = sql`NOT EXISTS (SELECT 1 FROM payments other WHERE other.driver_id = ${driverId}
    AND other.settled_at IS NOT NULL AND other.total_cents > 0 AND other.id <> ${id})`;
  const isNewNumber = sql`NOT EXISTS (SELECT 1 FROM ${users} own JOIN ${invitedNumbers} known
    ON known.phone_number = own.phone_number WHERE own.id = ${driverId} AND known.rewarded_at IS NOT NULL)`;
  const inviterExists = sql`inviter_id IN (SELECT id FROM ${users})`;
  const completedNow = sql`payment_id = ${id} AND completed_at = ${now} AND revocations = 0`;
  const revoked = sql`payment_id = ${id} AND revoked_at IS NOT NULL`;
  return [
    db
      .update(invitations)
      .set({ paymentId: id, completedAt: now })
      .where(
        sql`friend_id = ${driverId} AND completed_at IS NULL AND ${inviterExists} AND ${isFirst} AND ${isNewNumber}
          AND ${isUnchanged}`,
      ),
    db
      .update(invitations)
      .set({ paymentId: id })
      .where(sql`friend_id = ${driverId} AND revoked_at IS NOT NULL AND ${isUnchanged}`),
    credit(db, {
      source: sql`'invitation:' || id`,
      durationMs: REWARD_MS,
      where: completedNow,
      now,
      isUnchanged,
    }),
    credit(db, {
      source: sql`'invitation:' || id || ':' || revocations || ':undone'`,
      durationMs: REWARD_MS,
      where: revoked,
      now,
      isUnchanged,
    }),
    notify(db, { kind: "friend_paid", durationMs: REWARD_MS, where: completedNow, now, isUnchanged }),
    notify(db, {
      kind: "inviter_rewarded",
      to: sql`friend_id`,
      durationMs: REWARD_MS,
      where: completedNow,
      now,
      isUnchanged,
    }),
    notify(db, { kind: "friend_paid_again", where: revoked, now, isUnchanged }),
    db
      .insert(invitedNumbers)
      .select(
        sql`SELECT own.phone_number, NULL, NULL, ${now} FROM ${users} own WHERE own.id = ${driverId}
          AND EXISTS (SELECT 1 FROM ${invitations} WHERE ${completedNow}) AND ${isUnchanged}`,
      )
      .onConflictDoUpdate({
        target: invitedNumbers.phoneNumber,
        set: { rewardedAt: sql`coalesce(${invitedNumbers.rewardedAt}, excluded.rewarded_at)` },
      }),
    ...touchInviter(db, id, { now, isUnchanged }),
    db
      .update(invitations)
      .set({ revokedAt: null })
      .where(sql`${revoked} AND ${isUnchanged}`),
  ];
}

function revokeStatements(db: Db, { id }: FriendPayment, { now, isUnchanged }: Context) {
  const revokedNow = sql`payment_id = ${id} AND revoked_at = ${now}`;
  return [
    db
      .update(invitations)
      .set({ revokedAt: now, revocations: sql`${invitations.revocations} + 1` })
      .where(sql`payment_id = ${id} AND completed_at IS NOT NULL AND revoked_at IS NULL AND ${isUnchanged}`),
    credit(db, {
      source: sql`'invitation:' || id || ':' || revocations`,
      durationMs: -REWARD_MS,
      where: revokedNow,
      now,
      isUnchanged,
    }),
    notify(db, { kind: "friend_refunded", where: revokedNow, now, isUnchanged }),
    ...touchInviter(db, id, { now, isUnchanged }),
  ];
}

function credit(
  db: Db,
  {
    source,
    durationMs,
    where,
    now,
    isUnchanged,
  }: Context & { source: SQL; durationMs: DurationMs; where: SQL },
) {
  const at = atAfterLedger(sql`invitations.inviter_id`, now);
  return db
    .insert(serviceCredits)
    .select(
      sql`SELECT ${source}, inviter_id, ${durationMs}, ${at} FROM ${invitations} WHERE ${where} AND ${isUnchanged}`,
    )
    .onConflictDoNothing();
}

function notify(
  db: Db,
  {
    kind,
    to = sql`inviter_id`,
    durationMs = null,
    where,
    now,
    isUnchanged,
  }: Context & { kind: ServiceChangeKind; to?: SQL; durationMs?: DurationMs | null; where: SQL },
) {
  return db
    .insert(undeliveredServiceChanges)
    .select(
      sql`SELECT 'invitation:' || id || ':' || revocations || ${`:${kind}`}, ${to}, ${kind}, ${now}, NULL, NULL, ${durationMs}, NULL
        FROM ${invitations} WHERE ${where} AND ${to} IS NOT NULL AND ${isUnchanged}`,
    )
    .onConflictDoNothing();
}

/** The end of the inviter's service has moved: the object takes only a newer record, and a renewal looks at it anew. */
function touchInviter(db: Db, paymentId: string, { now, isUnchanged }: Context) {
  const inviter = sql`(SELECT inviter_id FROM ${invitations} WHERE payment_id = ${paymentId})`;
  return [
    db
      .update(users)
      .set({ revision: sql`${users.revision} + 1` })
      .where(sql`id IN ${inviter} AND ${isUnchanged}`),
    db
      .update(renewals)
      .set({ dueAt: now, tries: 0 })
      .where(sql`driver_id IN ${inviter} AND status = 'on' AND ${isUnchanged}`),
  ] as const;
}

/** Whose free days depend on a payment of a friend's; null if nobody's do. */
export async function loadInviterOf(db: Db, paymentId: string): Promise<DriverId | null> {
  const [row] = await db
    .select({ inviterId: invitations.inviterId })
    .from(invitations)
    .where(sql`payment_id = ${paymentId}`);
  return row?.inviterId ?? null;
}
