import { eq, sql, type SQL } from "drizzle-orm";
import type { ServiceChangeKind } from "../../shapes/profile.ts";
import { INVITATION_DAYS } from "../../shapes/money/rewards.ts";
import { DAY_MS, type DriverId, type DurationMs, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { payments, undeliveredServiceChanges } from "../../schema/payments.ts";
import { renewals } from "../../schema/renewal.ts";
import { invitations, invitedNumbers } from "../../schema/rewards.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { atAfterLedger } from "../payments/service-credit-at.ts";

/** The effect of a payment on its payer's invitation: `grant` its inviter so much free time, or take it back. */
export type InvitationChange = { kind: "grant"; rewardMs: DurationMs } | { kind: "revoke" };

const { inviterId, friendId, paymentId, completedAt, revokedAt, revocations } = invitations;

const REWARD_MS: DurationMs = INVITATION_DAYS * DAY_MS;

type FriendPayment = { id: string; driverId: DriverId };
/** With the fingerprint of the card that paid. */
type PaidByFriend = FriendPayment & { fingerprint: string | null };
type Context = { now: EpochMs; isUnchanged: SQL };

/**
 * The statements of an invitation's change, for the batch that settles the friend's payment. Each applies only while the
 * payment is as it was loaded, so that parallel settlements grant once.
 */
export function invitationStatements(
  db: Db,
  payment: PaidByFriend,
  { change, ...context }: Context & { change: InvitationChange },
) {
  return change.kind === "grant"
    ? grantStatements(db, payment, { ...context, rewardMs: change.rewardMs })
    : revokeStatements(db, payment, context);
}

/** Why inviter and friend are taken for one person; null where they are not. For operators alone. */
function withheldReason({ driverId, fingerprint }: PaidByFriend): SQL {
  const isSameCard = sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.driverId} = ${inviterId}
    AND ${payments.methodFingerprint} = ${fingerprint} AND ${payments.settledAt} IS NOT NULL)`;
  const accountOf = (driver: SQL) =>
    sql`(SELECT lower(${users.flexEmail}) FROM ${users} WHERE ${users.id} = ${driver})`;
  const isSameAccount = sql`${accountOf(sql`${inviterId}`)} = ${accountOf(sql`${driverId}`)}`;
  return sql`CASE WHEN ${isSameCard} THEN 'same_card' WHEN ${isSameAccount} THEN 'same_account' END`;
}

/**
 * The friend's first paid plan completes the invitation, once per number. Days that a refund took come back with the next
 * paid plan, or if the refund fails.
 */
function grantStatements(
  db: Db,
  payment: PaidByFriend,
  { rewardMs, now, isUnchanged }: Context & { rewardMs: DurationMs },
) {
  const { id, driverId } = payment;
  const isFirst = sql`NOT EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.driverId} = ${driverId}
    AND ${payments.settledAt} IS NOT NULL AND ${payments.totalCents} > 0 AND ${payments.id} <> ${id})`;
  const isNewNumber = sql`NOT EXISTS (SELECT 1 FROM ${users} JOIN ${invitedNumbers}
    ON ${invitedNumbers.phoneNumber} = ${users.phoneNumber}
    WHERE ${users.id} = ${driverId} AND ${invitedNumbers.rewardedAt} IS NOT NULL)`;
  const inviterExists = sql`${inviterId} IN (SELECT ${users.id} FROM ${users})`;
  const isOfPayment = sql`${paymentId} = ${id}`;
  const completedNow = sql`${isOfPayment} AND ${completedAt} = ${now} AND ${revocations} = 0`;
  const revoked = sql`${isOfPayment} AND ${revokedAt} IS NOT NULL`;
  const isDue = sql`${friendId} = ${driverId} AND ${completedAt} IS NULL AND ${inviterExists} AND ${isFirst}
    AND ${isNewNumber} AND ${isUnchanged}`;
  return [
    // Nobody is told: the inviter sees an invitation that waits, an operator sees why.
    db
      .update(invitations)
      .set({ withheld: withheldReason(payment) })
      .where(isDue),
    db
      .update(invitations)
      .set({ paymentId: id, completedAt: now })
      .where(sql`${isDue} AND ${invitations.withheld} IS NULL`),
    db
      .update(invitations)
      .set({ paymentId: id })
      .where(sql`${friendId} = ${driverId} AND ${revokedAt} IS NOT NULL AND ${isUnchanged}`),
    credit(db, {
      source: sql`'invitation:' || ${invitations.id}`,
      durationMs: rewardMs,
      where: completedNow,
      now,
      isUnchanged,
    }),
    credit(db, {
      source: sql`'invitation:' || ${invitations.id} || ':' || ${revocations} || ':undone'`,
      durationMs: REWARD_MS,
      where: revoked,
      now,
      isUnchanged,
    }),
    notify(db, { kind: "friend_paid", durationMs: rewardMs, where: completedNow, now, isUnchanged }),
    notify(db, {
      kind: "inviter_rewarded",
      to: friendId,
      durationMs: rewardMs,
      where: completedNow,
      now,
      isUnchanged,
    }),
    notify(db, { kind: "friend_paid_again", where: revoked, now, isUnchanged }),
    insertFrom(
      db,
      invitedNumbers,
      { phoneNumber: sql`${users.phoneNumber}`, rewardedAt: now },
      sql`FROM ${users} WHERE ${users.id} = ${driverId}
        AND EXISTS (SELECT 1 FROM ${invitations} WHERE ${completedNow}) AND ${isUnchanged}`,
    ).onConflictDoUpdate({
      target: invitedNumbers.phoneNumber,
      set: {
        rewardedAt: sql`coalesce(${invitedNumbers.rewardedAt}, ${excluded(invitedNumbers.rewardedAt)})`,
      },
    }),
    ...touchInviter(db, id, { now, isUnchanged }),
    db
      .update(invitations)
      .set({ revokedAt: null })
      .where(sql`${revoked} AND ${isUnchanged}`),
  ];
}

function revokeStatements(db: Db, { id }: FriendPayment, { now, isUnchanged }: Context) {
  const isOfPayment = sql`${paymentId} = ${id}`;
  const revokedNow = sql`${isOfPayment} AND ${revokedAt} = ${now}`;
  return [
    db
      .update(invitations)
      .set({ revokedAt: now, revocations: sql`${revocations} + 1` })
      .where(sql`${isOfPayment} AND ${completedAt} IS NOT NULL AND ${revokedAt} IS NULL AND ${isUnchanged}`),
    credit(db, {
      source: sql`'invitation:' || ${invitations.id} || ':' || ${revocations}`,
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
  const driverId = sql`${inviterId}`;
  return insertFrom(
    db,
    serviceCredits,
    { source, driverId, durationMs, at: atAfterLedger(driverId, now) },
    sql`FROM ${invitations} WHERE ${where} AND ${isUnchanged}`,
  ).onConflictDoNothing();
}

function notify(
  db: Db,
  {
    kind,
    to = inviterId,
    durationMs = null,
    where,
    now,
    isUnchanged,
  }: Context & {
    kind: ServiceChangeKind;
    to?: typeof inviterId | typeof friendId;
    durationMs?: DurationMs | null;
    where: SQL;
  },
) {
  const source = sql`'invitation:' || ${invitations.id} || ':' || ${revocations} || ${`:${kind}`}`;
  return insertFrom(
    db,
    undeliveredServiceChanges,
    { source, driverId: sql`${to}`, kind, at: now, changedMs: durationMs },
    sql`FROM ${invitations} WHERE ${where} AND ${to} IS NOT NULL AND ${isUnchanged}`,
  ).onConflictDoNothing();
}

/** The end of the inviter's service has moved: the object takes only a newer record, and a renewal looks at it anew. */
function touchInviter(db: Db, id: FriendPayment["id"], { now, isUnchanged }: Context) {
  const inviter = sql`(SELECT ${inviterId} FROM ${invitations} WHERE ${paymentId} = ${id})`;
  return [
    db
      .update(users)
      .set({ revision: sql`${users.revision} + 1` })
      .where(sql`${users.id} IN ${inviter} AND ${isUnchanged}`),
    db
      .update(renewals)
      .set({ dueAt: now, tries: 0 })
      .where(sql`${renewals.driverId} IN ${inviter} AND ${renewals.status} = 'on' AND ${isUnchanged}`),
  ] as const;
}

/** The driver whose free days depend on a friend's payment; null if nobody's do. */
export async function loadInviterOf(db: Db, id: FriendPayment["id"]): Promise<DriverId | null> {
  const [row] = await db.select({ inviterId }).from(invitations).where(eq(paymentId, id));
  return row?.inviterId ?? null;
}
