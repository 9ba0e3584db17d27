import { and, eq, sql, type SQL } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { insertFrom } from "../../insert-where.ts";
import { promotions, raffleEntries } from "../../schema/payments.ts";
import type { PaymentRow } from "./payments.ts";

/** Enters the raffles of the instant at which a payment was paid, or leaves those that are not drawn yet. */
export type RaffleChange = { kind: "enter"; paidAt: EpochMs } | { kind: "leave" };

/** The statement that changes a payment's part in raffles, under a condition. */
export function raffleStatement(
  db: Db,
  { id, driverId, plan }: PaymentRow,
  { raffle, where }: { raffle: RaffleChange; where: SQL },
) {
  // Once its entries are closed anyone may check the draw: they stay as they are.
  const isUndrawn = sql`${promotions.closedAt} IS NULL AND ${promotions.seed} IS NULL`;
  if (raffle.kind === "leave") {
    const isOpen = sql`${raffleEntries.promotionId} IN (SELECT ${promotions.id} FROM ${promotions} WHERE ${isUndrawn})`;
    return db.delete(raffleEntries).where(and(eq(raffleEntries.paymentId, id), isOpen, where));
  }
  const { paidAt } = raffle;
  return insertFrom(
    db,
    raffleEntries,
    { promotionId: sql`${promotions.id}`, paymentId: id, driverId, at: paidAt },
    sql`FROM ${promotions} WHERE ${promotions.plan} = ${plan}
      AND ${promotions.startsAt} <= ${paidAt} AND ${paidAt} < ${promotions.endsAt} AND ${isUndrawn} AND ${where}`,
  ).onConflictDoNothing();
}
