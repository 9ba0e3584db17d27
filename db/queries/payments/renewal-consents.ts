import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import type { Language } from "../../shapes/language.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { users } from "../../schema/drivers.ts";
import { payments } from "../../schema/payments.ts";
import { renewalConsents, renewals } from "../../schema/renewal.ts";
import { paymentInProgressQuery, type PaymentRow } from "./payments.ts";

/** A driver's consent to a renewal, and its later history. */
export type ConsentRecord = typeof renewalConsents.$inferSelect & {
  /** The current status of the renewal that relies on it; null if that is off, or relies on another consent. */
  status: "on" | "paused" | null;
  language: Language;
};

const status = sql<ConsentRecord["status"]>`CASE WHEN ${renewals.consentId} = ${renewalConsents.id}
  AND ${renewals.status} IN ('on', 'paused') AND ${renewalConsents.withdrawnAt} IS NULL THEN ${renewals.status} END`;

function consentsOf(db: Db, where: SQL | undefined) {
  const { id, driverId, at, plan, capCents, currency, words, withdrawnAt } = renewalConsents;
  return db
    .select({
      id,
      driverId,
      at,
      plan,
      capCents,
      currency,
      words,
      withdrawnAt,
      status,
      language: users.language,
    })
    .from(renewalConsents)
    .innerJoin(users, eq(users.id, renewalConsents.driverId))
    .leftJoin(renewals, eq(renewals.driverId, renewalConsents.driverId))
    .where(where);
}

/** The UUID that stands for a consent in a link: that of the payment with which it was given, or its own. */
export function linkedId(consentId: string): string {
  return consentId.replace(/^payment-/, "");
}

/** A consent by the UUID in its link; null if there is none, or its driver's account was deleted. */
export async function loadConsent(db: Db, linked: string): Promise<ConsentRecord | null> {
  const [row] = await consentsOf(db, sql`${renewalConsents.id} IN (${linked}, ${`payment-${linked}`})`);
  return row ?? null;
}

/** The consent that a payment of a driver's gave, or was charged by. */
export async function loadConsentOfPayment(
  db: Db,
  { driverId, paymentId }: { driverId: DriverId; paymentId: string },
): Promise<ConsentRecord | null> {
  const consentId = sql`(SELECT coalesce(${payments.renewalOf}, 'payment-' || ${payments.id}) FROM ${payments}
    WHERE ${payments.id} = ${paymentId})`;
  const [row] = await consentsOf(
    db,
    and(sql`${renewalConsents.id} = ${consentId}`, eq(renewalConsents.driverId, driverId)),
  );
  return row ?? null;
}

/**
 * Turns a renewal off by one consent, and only while it relies on that one.
 * @returns the driver's payment in progress after that; undefined if the consent was withdrawn before
 */
export async function withdrawConsent(
  db: Db,
  { id, driverId }: Pick<ConsentRecord, "id" | "driverId">,
  now: EpochMs,
): Promise<PaymentRow | null | undefined> {
  const [withdrawn, , [current]] = await db.batch([
    db
      .update(renewalConsents)
      .set({ withdrawnAt: now })
      .where(
        and(
          eq(renewalConsents.id, id),
          eq(renewalConsents.driverId, driverId),
          isNull(renewalConsents.withdrawnAt),
        ),
      )
      .returning({ id: renewalConsents.id }),
    db
      .update(renewals)
      .set({ status: "off", pause: null, dueAt: null, revision: sql`${renewals.revision} + 1` })
      .where(and(eq(renewals.driverId, driverId), eq(renewals.consentId, id))),
    paymentInProgressQuery(db, driverId),
  ]);
  return withdrawn.length === 1 ? (current ?? null) : undefined;
}
