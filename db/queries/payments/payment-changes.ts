import { and, eq, sql, type SQL } from "drizzle-orm";
import type { JournalLine } from "../../shapes/money/journal.ts";
import type { ServiceChange } from "../../shapes/profile.ts";
import type { DurationMs, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertWhere } from "../../insert-where.ts";
import { payments, pointEntries } from "../../schema/payments.ts";
import { renewals } from "../../schema/renewal.ts";
import { serviceCredits, users } from "../../schema/drivers.ts";
import { payerSpotStatements } from "../spots/spots.ts";
import { invitationStatements, type InvitationChange } from "../rewards/invitation-rewards.ts";
import type { DisputeRow, PaymentRow } from "./payments.ts";
import { clearReports, pauseStatements, reportStatements, type CardReport } from "./renewal-guards.ts";
import { pointBalance } from "../rewards/points.ts";
import { journalStatements } from "./journal.ts";
import { atAfterLedger } from "./service-time.ts";
import { serviceChangeStatement } from "./service-changes.ts";
import { consentStatements, wakeRenewal, type PaidConsent } from "./renewals.ts";
import { raffleStatement, type RaffleChange } from "./raffles.ts";
import { moneyBackStatements, type RefundRow } from "./money-back.ts";
import { stripeEventStatement, type StripeEvent } from "./stripe-events.ts";

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
  raffle: RaffleChange | null;
  /** Refunds and disputes that are new, or whose outcome differs from the stored one. */
  refunds: readonly RefundRow[];
  /** Disputes that are new, or whose status differs from the stored one. */
  disputes: readonly DisputeRow[];
  /** Reports of the card that are new, or that a lost dispute made final. */
  reports: readonly CardReport[];
  /** The driver paid by hand: the card's earlier reports don't keep it from renewing. */
  confirmsCard: boolean;
  /** Money of a renewal went back. */
  pausesRenewal: boolean;
  /** The double entries of its money; those of days and points are booked with their ledgers. */
  journal: readonly JournalLine[];
  serviceChanges: readonly ServiceChange[];
  invitation: InvitationChange | null;
  /** The renewal that was agreed to with this payment, which has just gone through. */
  consent: PaidConsent | null;
};

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
  const statements = await changeStatements(db, payment, { change, now });
  const eventStatements = event
    ? [stripeEventStatement(db, event, { now, where: unchangedSinceRead(payment) })]
    : [];
  const [first, ...rest] = [...eventStatements, ...statements];
  if (!first) return false;
  const results: unknown[] = await db.batch([first, ...rest]);
  const last = results.at(-1);
  return Array.isArray(last) && last.length === 1;
}

/** The statements of a change, for its batch: each does nothing unless the payment is as it was loaded. */
export async function changeStatements(
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
  const addsService = credits.some(({ durationMs }) => durationMs > 0);
  const spotChange = addsService ? await payerSpotStatements(db, driverId, { now, where: isUnchanged }) : [];
  return [
    ...credits.map(({ source, durationMs }) =>
      insertWhere(
        db,
        serviceCredits,
        { source, driverId, durationMs, at: atAfterLedger(sql`${driverId}`, now) },
        isUnchanged,
      ).onConflictDoNothing(),
    ),
    ...spotChange,
    ...points.map((entry) =>
      insertWhere(
        db,
        pointEntries,
        { source: entry.source, driverId, points: withinBalance(payment, entry), at: now },
        isUnchanged,
      ).onConflictDoNothing(),
    ),
    ...journalStatements(db, journal, { now, where: isUnchanged }),
    ...(raffle ? [raffleStatement(db, payment, { raffle, where: isUnchanged })] : []),
    ...moneyBackStatements(db, id, { refunds, disputes, now, where: isUnchanged }),
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

function unchangedSinceRead({ id, revision }: PaymentRow): SQL {
  return sql`EXISTS (SELECT 1 FROM ${payments} WHERE ${payments.id} = ${id} AND ${payments.revision} = ${revision})`;
}
