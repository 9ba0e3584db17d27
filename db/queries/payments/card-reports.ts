import { and, eq, lt, or, sql, type SQL } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { cardReports } from "../../schema/money.ts";
import { renewals } from "../../schema/renewal.ts";
import type { PaymentRow } from "./payments.ts";
import { pauseStatements } from "./renewals.ts";

/** A dispute, an inquiry or an early fraud warning of a payment, as it concerns its card. */
export type CardReport = Pick<typeof cardReports.$inferSelect, "id" | "kind" | "at" | "isFinal">;

/** What a card is known by: Stripe's fingerprint of it, and the id under which it was saved. */
type CardIds = { fingerprint: string | null; methodId: string | null };

/** The statements that keep a report, and pause every renewal that would use its card, whoever's it is. */
export function reportStatements(
  db: Db,
  {
    id: paymentId,
    card,
    reports,
  }: Pick<PaymentRow, "id"> & { card: CardIds; reports: readonly CardReport[] },
  { now, where }: { now: EpochMs; where: SQL },
) {
  const { fingerprint, methodId } = card;
  const usesCard = sql`(${renewals.methodFingerprint} = ${fingerprint} OR ${renewals.methodId} = ${methodId})`;
  return [
    ...reports.map(({ id, kind, at, isFinal }) =>
      db
        .insert(cardReports)
        .select(
          sql`SELECT ${id}, ${paymentId}, ${kind}, ${fingerprint}, ${methodId}, ${at}, ${Number(isFinal)}, NULL WHERE ${where}`,
        )
        .onConflictDoUpdate({ target: cardReports.id, set: { isFinal: sql`excluded.is_final` } }),
    ),
    ...pauseStatements(db, { pause: "card_disputed", now, where: sql`${usesCard} AND ${where}` }),
  ];
}

/** The owner of a card paid with it again: earlier reports don't keep it from being charged, but for lost ones. */
export function clearReports(
  db: Db,
  { createdAt }: Pick<PaymentRow, "createdAt">,
  { card, now, where }: { card: CardIds; now: EpochMs; where: SQL },
) {
  return db
    .update(cardReports)
    .set({ clearedAt: now })
    .where(
      and(
        or(
          eq(cardReports.fingerprint, card.fingerprint ?? ""),
          eq(cardReports.methodId, card.methodId ?? ""),
        ),
        eq(cardReports.isFinal, false),
        lt(cardReports.at, createdAt),
        where,
      ),
    );
}
