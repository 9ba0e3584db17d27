import { and, eq, lt, or, sql, type SQL } from "drizzle-orm";
import type { RenewalPause } from "../../shapes/money/renewal.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { excluded } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { cardReports } from "../../schema/money.ts";
import { undeliveredServiceChanges } from "../../schema/payments.ts";
import { renewals } from "../../schema/renewal.ts";

/** A dispute, an inquiry or an early fraud warning about a payment, as it concerns the card. */
export type CardReport = Pick<typeof cardReports.$inferSelect, "id" | "kind" | "at" | "isFinal">;

/** A card's ids: Stripe's fingerprint of it, and the id under which it was saved. */
type CardIds = { fingerprint: string | null; methodId: string | null };

/** The statements that store reports of a payment's card, and pause every driver's renewal that would use it. */
export function reportStatements(
  db: Db,
  { id: paymentId, card, reports }: { id: string; card: CardIds; reports: readonly CardReport[] },
  { now, where }: { now: EpochMs; where: SQL },
) {
  const { fingerprint, methodId } = card;
  const usesCard = sql`(${renewals.methodFingerprint} = ${fingerprint} OR ${renewals.methodId} = ${methodId})`;
  return [
    ...reports.map((report) =>
      insertWhere(
        db,
        cardReports,
        { ...report, paymentId, ...card, clearedAt: null },
        where,
      ).onConflictDoUpdate({ target: cardReports.id, set: { isFinal: excluded(cardReports.isFinal) } }),
    ),
    ...pauseStatements(db, { pause: "card_disputed", now, where: sql`${usesCard} AND ${where}` }),
  ];
}

/** The statement for a card's owner who paid with it again: earlier reports no longer count, except lost disputes. */
export function clearReports(
  db: Db,
  { fingerprint, methodId }: CardIds,
  { before, now, where }: { before: EpochMs; now: EpochMs; where: SQL },
) {
  const isOfCard = or(
    eq(cardReports.fingerprint, fingerprint ?? ""),
    eq(cardReports.methodId, methodId ?? ""),
  );
  return db
    .update(cardReports)
    .set({ clearedAt: now })
    .where(and(isOfCard, eq(cardReports.isFinal, false), lt(cardReports.at, before), where));
}

/** As a condition: a card may not be charged without its owner. The arguments are columns or values. */
export function isCardReported({ fingerprint, methodId }: { fingerprint: SQL; methodId: SQL }): SQL {
  const { isFinal, clearedAt } = cardReports;
  return sql`EXISTS (SELECT 1 FROM ${cardReports}
    WHERE (${cardReports.fingerprint} = ${fingerprint} OR ${cardReports.methodId} = ${methodId})
      AND (${isFinal} = 1 OR ${clearedAt} IS NULL))`;
}

/** The same for the card of a renewal, for queries of that table. */
export const reportedRenewal = isCardReported({
  fingerprint: sql`${renewals.methodFingerprint}`,
  methodId: sql`${renewals.methodId}`,
});

/** Whether the card of a driver's renewal may not be charged without its owner. */
export async function isRenewalCardReported(db: Db, driverId: DriverId): Promise<boolean> {
  const rows = await db
    .select({ driverId: renewals.driverId })
    .from(renewals)
    .where(and(eq(renewals.driverId, driverId), reportedRenewal));
  return rows.length > 0;
}

/**
 * The statements that pause renewals that are on and notify their drivers, once each.
 * @param where of the table `renewals`
 */
export function pauseStatements(
  db: Db,
  { pause, now, where }: { pause: RenewalPause; now: EpochMs; where: SQL },
) {
  const isOn = sql`${renewals.status} = 'on' AND ${where}`;
  const news = {
    source: sql`'renewal:' || ${renewals.consentId} || ':' || ${renewals.revision} || ${`:${pause}`}`,
    driverId: sql`${renewals.driverId}`,
    kind: `renewal_${pause}` as const,
    at: now,
  };
  return [
    insertFrom(
      db,
      undeliveredServiceChanges,
      news,
      sql`FROM ${renewals} WHERE ${isOn}`,
    ).onConflictDoNothing(),
    db
      .update(renewals)
      .set({ status: "paused", pause, dueAt: null, revision: sql`${renewals.revision} + 1` })
      .where(isOn),
  ] as const;
}
