import { and, eq, getTableColumns, inArray, isNull, or, sql, type SQL } from "drizzle-orm";
import type { ServiceChange } from "../../shapes/profile.ts";
import type { DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import {
  payments,
  paymentRefunds,
  pointEntries,
  promotions,
  raffleEntries,
  undeliveredServiceChanges,
  stripeEvents,
} from "../../schema/payments.ts";
import { paymentDisputes } from "../../schema/money.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { mayPayCondition } from "../spots/spots.ts";
import { invitationStatements, type InvitationChange } from "../rewards/invitation-rewards.ts";
import { lastPaymentIdQuery, IN_PROGRESS, type DisputeRow, type PaymentRow } from "./payments.ts";
import { clearReports, reportStatements, type CardReport } from "./card-reports.ts";
import { atAfterLedger } from "./service-credit-at.ts";
import {
  consentStatements,
  pauseStatements,
  wakeRenewal,
  type PaidConsent,
  type RenewalRow,
} from "./renewals.ts";

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
  const fields = Object.keys(getTableColumns(payments)).map((field) => sql.raw(`whole ->> '${field}'`));
  const claim = db
    .insert(payments)
    .select(
      sql`SELECT ${sql.join(fields, sql`, `)} FROM (SELECT ${JSON.stringify(payment)} AS whole)
        WHERE ${lastPaymentIdQuery(driverId)} IS ${knownPaymentId}
          AND ${mayPayCondition(driverId)}
          AND ${renewal ? sql`EXISTS (SELECT 1 FROM renewals WHERE driver_id = ${driverId} AND revision = ${renewal.revision} AND status = 'on')` : sql`1`}
          AND (${points} = 0 OR (SELECT coalesce(sum(points), 0) FROM point_entries WHERE driver_id = ${driverId}) >= ${points})`,
    )
    .onConflictDoNothing()
    .returning({ id: payments.id });
  const hold = db.insert(pointEntries).select(
    sql`SELECT ${`payment:${id}:reserved`}, ${driverId}, ${-points}, ${createdAt}
      WHERE ${points} > 0 AND EXISTS (SELECT 1 FROM payments WHERE id = ${id})`,
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
      db
        .insert(serviceCredits)
        .select(
          sql`SELECT ${source}, ${driverId}, ${durationMs}, ${atAfterLedger(sql`${driverId}`, now)} WHERE ${isUnchanged}`,
        )
        .onConflictDoNothing(),
    ),
    ...points.map((entry) =>
      db
        .insert(pointEntries)
        .select(
          sql`SELECT ${entry.source}, ${driverId}, ${withinBalance(payment, entry)}, ${now} WHERE ${isUnchanged}`,
        )
        .onConflictDoNothing(),
    ),
    ...(raffle ? [raffleStatement(db, payment, raffle)] : []),
    ...refunds.map((refund) =>
      db
        .insert(paymentRefunds)
        .select(
          sql`SELECT ${refund.id}, ${id}, ${refund.kind}, ${refund.cents}, ${refund.at}, ${Number(refund.isEffective)}
            WHERE ${isUnchanged}`,
        )
        .onConflictDoUpdate({
          target: paymentRefunds.id,
          set: { isEffective: sql`excluded.is_effective`, cents: sql`excluded.cents` },
        }),
    ),
    ...disputes.map((dispute) => disputeStatement(db, { dispute, paymentId: id, where: isUnchanged })),
    ...serviceChanges.map(({ source, kind, money, changedMs, chargeAt }) =>
      db
        .insert(undeliveredServiceChanges)
        .select(
          sql`SELECT ${source}, ${driverId}, ${kind}, ${now}, ${money?.cents ?? null}, ${money?.currency ?? null}, ${changedMs}, ${chargeAt ?? null}
            WHERE ${isUnchanged}`,
        )
        .onConflictDoNothing(),
    ),
    ...(invitation ? invitationStatements(db, payment, { change: invitation, now, isUnchanged }) : []),
    ...(concernsDriver
      ? [
          db
            .update(users)
            .set({ revision: sql`${users.revision} + 1` })
            .where(and(eq(users.id, driverId), isUnchanged)),
          wakeRenewal(db, driverId, { now, where: isUnchanged }),
        ]
      : []),
    ...(confirmsCard ? [clearReports(db, payment, { card, now, where: isUnchanged })] : []),
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
  return sql`driver_id = ${driverId} AND consent_id IN (${renewalOf}, ${`payment-${id}`})`;
}

function disputeStatement(
  db: Db,
  { dispute, paymentId, where }: { dispute: DisputeRow; paymentId: string; where: SQL },
) {
  const { id, status, reason, cents, feeCents, dueAt, at } = dispute;
  return db
    .insert(paymentDisputes)
    .select(
      sql`SELECT ${id}, ${paymentId}, ${status}, ${reason}, ${cents}, ${feeCents}, ${dueAt}, ${at} WHERE ${where}`,
    )
    .onConflictDoUpdate({
      target: paymentDisputes.id,
      set: {
        status: sql`excluded.status`,
        cents: sql`excluded.cents`,
        feeCents: sql`excluded.fee_cents`,
        dueAt: sql`excluded.due_at`,
      },
    });
}

/** What is taken back is at most what is there: points that were spent in the meantime are not owed. */
function withinBalance({ driverId }: PaymentRow, { points }: { points: number }): SQL {
  if (points >= 0) return sql`${points}`;
  return sql`max(${points}, -max(0, (SELECT coalesce(sum(points), 0) FROM point_entries WHERE driver_id = ${driverId})))`;
}

function receiptNumberOf({ receiptNumber }: PaymentRow): number | SQL {
  return receiptNumber ?? sql`(SELECT coalesce(max(receipt_number), 0) + 1 FROM payments)`;
}

function raffleStatement(db: Db, payment: PaymentRow, raffle: NonNullable<PaymentChange["raffle"]>) {
  const { id, driverId, plan } = payment;
  const isUnchanged = unchangedSinceRead(payment);
  // Once its entries are closed anyone may check the draw: they stay as they are.
  const isUndrawn = sql`promotion_id IN (SELECT id FROM ${promotions} WHERE closed_at IS NULL AND seed IS NULL)`;
  if (raffle.kind === "leave") {
    return db.delete(raffleEntries).where(and(eq(raffleEntries.paymentId, id), isUndrawn, isUnchanged));
  }
  const { paidAt } = raffle;
  return db
    .insert(raffleEntries)
    .select(
      sql`SELECT id, ${id}, ${driverId}, ${paidAt} FROM ${promotions}
        WHERE plan = ${plan} AND starts_at <= ${paidAt} AND ${paidAt} < ends_at AND closed_at IS NULL AND seed IS NULL AND ${isUnchanged}`,
    )
    .onConflictDoNothing();
}

function unchangedSinceRead({ id, revision }: PaymentRow): SQL {
  return sql`EXISTS (SELECT 1 FROM payments WHERE id = ${id} AND revision = ${revision})`;
}

function eventInsert(
  db: Db,
  { id, type, intentId }: StripeEvent,
  { now, where }: { now: EpochMs; where: SQL },
) {
  return db
    .insert(stripeEvents)
    .select(sql`SELECT ${id}, ${type}, ${intentId}, ${now} WHERE ${where}`)
    .onConflictDoNothing();
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
