import { and, eq, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import type { JournalLine } from "../../shapes/money/journal.ts";
import type { ServiceChange } from "../../shapes/profile.ts";
import type { DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import {
  payments,
  paymentRefunds,
  pointEntries,
  promotions,
  raffleEntries,
  stripeEvents,
} from "../../schema/payments.ts";
import { paymentDisputes } from "../../schema/money.ts";
import { renewals } from "../../schema/renewal.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { mayPayCondition } from "../spots/spots.ts";
import { invitationStatements, type InvitationChange } from "../rewards/invitation-rewards.ts";
import { lastPaymentIdQuery, IN_PROGRESS, type DisputeRow, type PaymentRow } from "./payments.ts";
import { clearReports, pauseStatements, reportStatements, type CardReport } from "./renewal-guards.ts";
import { pointBalance } from "../rewards/points.ts";
import { journalStatements, pointsJournal } from "./journal.ts";
import { atAfterLedger } from "./service-credit-at.ts";
import { serviceChangeStatement } from "./service-changes.ts";
import { consentStatements, wakeRenewal, type PaidConsent, type RenewalRow } from "./renewals.ts";

/** A payment's new fields, and the ledger entries that they lead to. */
export type PaymentChange = Pick<
  PaymentRow,
  | "status"
  | "intentId"
  | "settledAt"
  | "processingAt"
  | "refundedCents"
  | "receiptUrl"
  | "method"
  | "methodBrand"
  | "methodLast4"
  | "methodId"
  | "processorFeeCents"
  | "methodFingerprint"
> & {
  credits: readonly { source: string; durationMs: DurationMs }[];
  points: readonly { source: string; points: number }[];
  /** Enters the raffles of the instant at which it was paid, or leaves those that are not drawn yet. */
  raffle: { kind: "enter"; paidAt: EpochMs } | { kind: "leave" } | null;
  /** Refunds and disputes that are new, or came out otherwise than was stored. */
  refunds: readonly Omit<typeof paymentRefunds.$inferSelect, "paymentId">[];
  /** Disputes that are new, or stand otherwise than was stored. */
  disputes: readonly DisputeRow[];
  /** Reports of the card that are new, or that a lost dispute made final. */
  reports: readonly CardReport[];
  /** The driver paid by hand: the card's earlier reports don't keep it from renewing. */
  confirmsCard: boolean;
  /** Money of a renewal went back. */
  pausesRenewal: boolean;
  /** The double entries of all of this. */
  journal: readonly JournalLine[];
  serviceChanges: readonly ServiceChange[];
  invitation: InvitationChange | null;
  /** The renewal that was agreed to with this payment, which has just gone through. */
  consent: PaidConsent | null;
};

/** A verified webhook event. */
export type StripeEvent = { id: string; type: string; intentId: string | null };

/**
 * Inserts a payment before Stripe is called and reserves its points, in one batch. Applies only if the driver
 * has no other payment in progress, has a spot and the points, and `knownPaymentId` is still the latest payment that went
 * through; charged without the driver, also only if the renewal is as it was claimed. With a `settlement` it is settled
 * in the same batch.
 * @returns false if nothing was written
 */
export async function insertPayment(
  db: Db,
  payment: PaymentRow,
  {
    settlement,
    knownPaymentId,
    renewal = null,
  }: {
    settlement: PaymentChange | null;
    knownPaymentId: string | null;
    renewal?: Pick<RenewalRow, "revision"> | null;
  },
): Promise<boolean> {
  const { id, driverId, points, createdAt } = payment;
  const isRenewable = renewal
    ? sql`EXISTS (SELECT 1 FROM ${renewals} WHERE ${renewals.driverId} = ${driverId}
        AND ${renewals.revision} = ${renewal.revision} AND ${renewals.status} = 'on')`
    : sql`1`;
  const claim = insertWhere(
    db,
    payments,
    payment,
    sql`${lastPaymentIdQuery(driverId)} IS ${knownPaymentId}
      AND ${mayPayCondition(driverId)}
      AND ${isRenewable}
      AND (${points} = 0 OR ${pointBalance(driverId)} >= ${points})`,
  )
    .onConflictDoNothing()
    .returning({ id: payments.id });
  const hold = insertWhere(
    db,
    pointEntries,
    { source: `payment:${id}:reserved`, driverId, points: -points, at: createdAt },
    sql`${points} > 0 AND EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.id} = ${id})`,
  );
  const settlementStatements = settlement
    ? changeStatements(db, payment, { change: settlement, now: createdAt })
    : [];
  const [claimed] = await db.batch([claim, hold, ...settlementStatements]);
  return claimed.length === 1;
}

/**
 * Stores the id of the intent that was created for a payment.
 * @returns false if the payment is no longer in progress or has another intent
 */
export async function attachIntent(
  db: Db,
  { id }: Pick<PaymentRow, "id">,
  intentId: string,
): Promise<boolean> {
  const rows = await db
    .update(payments)
    .set({ intentId, revision: sql`${payments.revision} + 1` })
    .where(
      and(
        eq(payments.id, id),
        inArray(payments.status, IN_PROGRESS),
        or(isNull(payments.intentId), eq(payments.intentId, intentId)),
      ),
    )
    .returning({ id: payments.id });
  return rows.length === 1;
}

/** Marks a payment in progress of a deleted account: paid all the same, it is refunded. */
export async function orphanPayment(db: Db, { id }: Pick<PaymentRow, "id">, now: EpochMs): Promise<void> {
  await db
    .update(payments)
    .set({ orphanedAt: now, revision: sql`${payments.revision} + 1` })
    .where(and(eq(payments.id, id), inArray(payments.status, IN_PROGRESS)));
}

/**
 * Writes a change and the event that caused it in one batch, unless the payment was written since it was
 * loaded.
 * @returns false if nothing was written and the payment must be loaded again
 */
export async function savePaymentChange(
  db: Db,
  payment: PaymentRow,
  { change, event, now }: { change: PaymentChange; event: StripeEvent | null; now: EpochMs },
): Promise<boolean> {
  const statements = changeStatements(db, payment, { change, now });
  const eventStatements = event ? [eventInsert(db, event, { now, where: unchangedSinceRead(payment) })] : [];
  const [first, ...rest] = [...eventStatements, ...statements];
  if (!first) return false;
  const results: unknown[] = await db.batch([first, ...rest]);
  const last = results.at(-1);
  return Array.isArray(last) && last.length === 1;
}

function changeStatements(
  db: Db,
  payment: PaymentRow,
  { change, now }: { change: PaymentChange; now: EpochMs },
) {
  const { id, driverId, revision } = payment;
  const {
    credits,
    points,
    raffle,
    refunds,
    disputes,
    reports,
    confirmsCard,
    pausesRenewal,
    journal,
    serviceChanges,
    invitation,
    consent,
    ...fields
  } = change;
  const card = { fingerprint: fields.methodFingerprint, methodId: fields.methodId };
  // D1 has no interactive transactions: each statement applies only if the payment is unchanged since it was loaded.
  const isUnchanged = unchangedSinceRead(payment);
  const concernsDriver = credits.length > 0;
  return [
    ...credits.map(({ source, durationMs }) =>
      insertWhere(
        db,
        serviceCredits,
        { source, driverId, durationMs, at: atAfterLedger(sql`${driverId}`, now) },
        isUnchanged,
      ).onConflictDoNothing(),
    ),
    ...points.map((entry) =>
      insertWhere(
        db,
        pointEntries,
        { source: entry.source, driverId, points: withinBalance(payment, entry), at: now },
        isUnchanged,
      ).onConflictDoNothing(),
    ),
    ...points.flatMap(({ source }) => pointsJournal(db, source, { now, where: isUnchanged })),
    ...journalStatements(db, journal, { now, where: isUnchanged }),
    ...(raffle ? [raffleStatement(db, payment, raffle)] : []),
    ...refunds.map((refund) =>
      insertWhere(db, paymentRefunds, { ...refund, paymentId: id }, isUnchanged).onConflictDoUpdate({
        target: paymentRefunds.id,
        set: { isEffective: excluded(paymentRefunds.isEffective), cents: excluded(paymentRefunds.cents) },
      }),
    ),
    ...disputes.map((dispute) =>
      insertWhere(db, paymentDisputes, { ...dispute, paymentId: id }, isUnchanged).onConflictDoUpdate({
        target: paymentDisputes.id,
        set: {
          status: excluded(paymentDisputes.status),
          cents: excluded(paymentDisputes.cents),
          feeCents: excluded(paymentDisputes.feeCents),
          dueAt: excluded(paymentDisputes.dueAt),
        },
      }),
    ),
    ...serviceChanges.map((news) => serviceChangeStatement(db, driverId, { news, now, where: isUnchanged })),
    ...(invitation
      ? invitationStatements(
          db,
          { ...payment, fingerprint: card.fingerprint },
          { change: invitation, now, isUnchanged },
        )
      : []),
    ...(concernsDriver
      ? [
          db
            .update(users)
            .set({ revision: sql`${users.revision} + 1` })
            .where(and(eq(users.id, driverId), isUnchanged)),
          wakeRenewal(db, driverId, { now, where: isUnchanged }),
        ]
      : []),
    ...(confirmsCard ? [clearReports(db, card, { before: payment.createdAt, now, where: isUnchanged })] : []),
    ...(consent ? consentStatements(db, payment, { consent, now, where: isUnchanged }) : []),
    ...(reports.length > 0 ? reportStatements(db, { id, card, reports }, { now, where: isUnchanged }) : []),
    ...(pausesRenewal
      ? pauseStatements(db, {
          pause: "refunded",
          now,
          where: sql`${isOfRenewal(payment)} AND ${isUnchanged}`,
        })
      : []),
    db
      .update(payments)
      .set({
        ...fields,
        revision: revision + 1,
        receiptNumber: fields.settledAt === null ? null : receiptNumberOf(payment),
      })
      .where(and(eq(payments.id, id), eq(payments.revision, revision)))
      .returning({ id: payments.id }),
  ];
}

/** The renewal that a payment was charged by, or that was agreed to with it. */
function isOfRenewal({ id, driverId, renewalOf }: PaymentRow): SQL {
  return sql`${renewals.driverId} = ${driverId} AND ${renewals.consentId} IN (${renewalOf}, ${`payment-${id}`})`;
}

/** A refund takes back at most the present balance: the driver doesn't owe points spent in the meantime. */
function withinBalance({ driverId }: PaymentRow, { points }: { points: number }): SQL {
  if (points >= 0) return sql`${points}`;
  return sql`max(${points}, -max(0, ${pointBalance(driverId)}))`;
}

function receiptNumberOf({ receiptNumber }: PaymentRow): number | SQL {
  return receiptNumber ?? sql`(SELECT coalesce(max(${payments.receiptNumber}), 0) + 1 FROM ${payments})`;
}

function raffleStatement(db: Db, payment: PaymentRow, raffle: NonNullable<PaymentChange["raffle"]>) {
  const { id, driverId, plan } = payment;
  const isUnchanged = unchangedSinceRead(payment);
  // Once its entries are closed anyone may check the draw: they stay as they are.
  const isUndrawn = sql`${promotions.closedAt} IS NULL AND ${promotions.seed} IS NULL`;
  if (raffle.kind === "leave") {
    const isOpen = sql`${raffleEntries.promotionId} IN (SELECT ${promotions.id} FROM ${promotions} WHERE ${isUndrawn})`;
    return db.delete(raffleEntries).where(and(eq(raffleEntries.paymentId, id), isOpen, isUnchanged));
  }
  const { paidAt } = raffle;
  return insertFrom(
    db,
    raffleEntries,
    { promotionId: sql`${promotions.id}`, paymentId: id, driverId, at: paidAt },
    sql`FROM ${promotions} WHERE ${promotions.plan} = ${plan}
      AND ${promotions.startsAt} <= ${paidAt} AND ${paidAt} < ${promotions.endsAt} AND ${isUndrawn} AND ${isUnchanged}`,
  ).onConflictDoNothing();
}

function unchangedSinceRead({ id, revision }: PaymentRow): SQL {
  return sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.id} = ${id} AND ${payments.revision} = ${revision})`;
}

function eventInsert(
  db: Db,
  { id, type, intentId }: StripeEvent,
  { now, where }: { now: EpochMs; where: SQL },
) {
  return insertWhere(db, stripeEvents, { id, type, intentId, receivedAt: now }, where).onConflictDoNothing();
}

/** Records an event that changed nothing. */
export async function insertStripeEvent(db: Db, event: StripeEvent, now: EpochMs): Promise<void> {
  await eventInsert(db, event, { now, where: sql`1` });
}

/** Whether an event was already processed. */
export async function isStripeEventKnown(db: Db, id: string): Promise<boolean> {
  const rows = await db.select({ id: stripeEvents.id }).from(stripeEvents).where(eq(stripeEvents.id, id));
  return rows.length > 0;
}
