import { eq, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ServiceChangeKind } from "../../shapes/profile.ts";
import { INVITATION_DAYS } from "../../shapes/money/rewards.ts";
import { DAY_MS, type DriverId, type DurationMs, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertFrom } from "../../insert-where.ts";
import { payments, undeliveredServiceChanges } from "../../schema/payments.ts";
import { renewals } from "../../schema/renewal.ts";
import { driverDevices, invitations, invitedNumbers } from "../../schema/rewards.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { atAfterLedger } from "../payments/service-time.ts";

/**
 * The effect of a payment on its payer's invitation: `grant` its inviter so much free time, less the shares of refunds that
 * stand; take all of it back, or a share for each refund. The share of a refund that failed, or of which the friend keeps the
 * days after all, is returned if it was taken; `forgive` returns all that was taken back, and leaves the shares.
 */
export type InvitationChange =
  | { kind: "grant"; rewardMs: DurationMs; shares: readonly RefundShare[] }
  | { kind: "revoke" }
  | { kind: "share" | "forgive"; shares: readonly RefundShare[] };

/** A refund's or a dispute's share of an inviter's free time, by its id. */
type RefundShare = { id: string; durationMs: DurationMs; isTaken: boolean };

const { inviterId, friendId, paymentId, completedAt, revokedAt, revocations } = invitations;

const REWARD_MS: DurationMs = INVITATION_DAYS * DAY_MS;

/** The friend's devices. */
const theirs = alias(driverDevices, "theirs");

/** Entries that took of an inviter's free time. */
const taken = alias(serviceCredits, "taken");

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
  switch (change.kind) {
    case "grant":
      return [
        ...grantStatements(db, payment, { ...context, rewardMs: change.rewardMs }),
        ...shareStatements(db, payment, { ...context, shares: change.shares }),
      ];
    case "revoke":
      return revokeStatements(db, payment, context);
    case "share":
      return [
        ...shareStatements(db, payment, { ...context, ...change }),
        ...touchInviter(db, payment.id, context),
      ];
    case "forgive":
      return [
        ...returnStatements(db, payment, context),
        ...shareStatements(db, payment, { ...context, ...change }),
        ...touchInviter(db, payment.id, context),
      ];
  }
}

function shareStatements(
  db: Db,
  payment: FriendPayment,
  { shares, ...context }: Context & { shares: readonly RefundShare[] },
) {
  return shares.flatMap((share) =>
    share.isTaken
      ? takeShare(db, payment, { ...context, ...share })
      : [returnShare(db, payment, { ...context, ...share })],
  );
}

/** A friend's next plan returns what a former payment took, in parts or at once: that one is followed no more. */
function returnAll(db: Db, { id, driverId }: FriendPayment, { now, isUnchanged }: Context) {
  const isTakenBack = sql`${friendId} = ${driverId} AND ${revokedAt} IS NOT NULL AND ${paymentId} <> ${id}`;
  // `;` sorts right after `:`, so the range covers every entry of the invitation after its grant.
  const isOfInvitation = sql`${taken.source} >= 'invitation:' || ${invitations.id} || ':'
    AND ${taken.source} < 'invitation:' || ${invitations.id} || ';'`;
  return insertFrom(
    db,
    serviceCredits,
    {
      source: sql`${taken.source} || ':undone'`,
      driverId: sql`${inviterId}`,
      durationMs: sql`-${taken.durationMs}`,
      at: atAfterLedger(sql`${inviterId}`, now),
    },
    sql`FROM ${invitations} JOIN ${serviceCredits} ${taken} ON ${isOfInvitation}
      WHERE ${isTakenBack} AND ${taken.durationMs} < 0 AND ${isUnchanged}`,
  ).onConflictDoNothing();
}

/** Returns all that was taken back at once. */
function returnStatements(db: Db, { id }: FriendPayment, { now, isUnchanged }: Context) {
  const isTakenBack = sql`${paymentId} = ${id} AND ${revokedAt} IS NOT NULL`;
  return [
    credit(db, {
      source: sql`'invitation:' || ${invitations.id} || ':' || ${revocations} || ':undone'`,
      durationMs: REWARD_MS,
      where: isTakenBack,
      now,
      isUnchanged,
    }),
    db
      .update(invitations)
      .set({ revokedAt: null })
      .where(sql`${isTakenBack} AND ${isUnchanged}`),
  ];
}

/** A refund takes its share of the free time, and the inviter hears how much. */
function takeShare(
  db: Db,
  payment: FriendPayment,
  { id, durationMs, now, isUnchanged }: Context & RefundShare,
) {
  const source = shareSource(id);
  const isHeld = sql`${paymentId} = ${payment.id} AND ${completedAt} IS NOT NULL AND ${revokedAt} IS NULL`;
  const news = {
    source: sql`${source} || ':friend_refunded'`,
    driverId: sql`${inviterId}`,
    kind: "friend_refunded" as const,
    at: now,
    changedMs: -durationMs,
  };
  const isNew = sql`NOT EXISTS (SELECT 1 FROM ${serviceCredits} WHERE ${serviceCredits.source} = ${source})`;
  return [
    insertFrom(
      db,
      undeliveredServiceChanges,
      news,
      sql`FROM ${invitations} WHERE ${isHeld} AND ${isNew} AND ${isUnchanged}`,
    ).onConflictDoNothing(),
    credit(db, { source, durationMs: -durationMs, where: isHeld, now, isUnchanged }),
  ];
}

/** A refund that failed returns what its share took: the ledger gives back no more than that. */
function returnShare(
  db: Db,
  payment: FriendPayment,
  { id, durationMs, now, isUnchanged }: Context & RefundShare,
) {
  const source = shareSource(id);
  const wasTaken = sql`EXISTS (SELECT 1 FROM ${serviceCredits} WHERE ${serviceCredits.source} = ${source})`;
  return credit(db, {
    source: sql`${source} || ':undone'`,
    durationMs,
    where: sql`${paymentId} = ${payment.id} AND ${wasTaken}`,
    now,
    isUnchanged,
  });
}

function shareSource(refundId: string): SQL {
  return sql`'invitation:' || ${invitations.id} || ':' || ${refundId}`;
}

/** Why inviter and friend are taken for one person; null where they are not. For operators alone. */
function withheldReason({ driverId, fingerprint }: PaidByFriend): SQL {
  const isSameCard = sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.driverId} = ${inviterId}
    AND ${payments.methodFingerprint} = ${fingerprint} AND ${payments.settledAt} IS NOT NULL)`;
  const accountOf = (driver: SQL) =>
    sql`(SELECT lower(${users.flexEmail}) FROM ${users} WHERE ${users.id} = ${driver})`;
  const isSameAccount = sql`${accountOf(sql`${inviterId}`)} = ${accountOf(sql`${driverId}`)}`;
  const isSameDevice = sql`EXISTS (SELECT 1 FROM ${driverDevices} JOIN ${driverDevices} ${theirs}
    ON ${theirs.deviceHash} = ${driverDevices.deviceHash}
    WHERE ${driverDevices.driverId} = ${inviterId} AND ${theirs.driverId} = ${driverId})`;
  return sql`CASE WHEN ${isSameCard} THEN 'same_card' WHEN ${isSameAccount} THEN 'same_account'
    WHEN ${isSameDevice} THEN 'same_device' END`;
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
    returnAll(db, payment, { now, isUnchanged }),
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
    ...returnStatements(db, payment, { now, isUnchanged }),
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
