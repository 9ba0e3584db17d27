import { asc, count, desc, eq, gt, and, sql, type SQL } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { promotions, raffleEntries, raffleTickets } from "../../schema/payments.ts";
import { insertFrom } from "../../insert-where.ts";
import type { PaymentRow } from "./payments.ts";

/** A raffle with its entries: the tickets once it is drawn, before that only their number. Null if there is none. */
export async function loadRaffle(db: Db, id: string) {
  const [[promotion], [entries], tickets] = await db.batch([
    db.select().from(promotions).where(eq(promotions.id, id)),
    db.select({ count: count() }).from(raffleEntries).where(eq(raffleEntries.promotionId, id)),
    db
      .select({ entry: raffleTickets.entry, holder: raffleTickets.holder, rank: raffleTickets.rank })
      .from(raffleTickets)
      .where(eq(raffleTickets.promotionId, id))
      .orderBy(asc(raffleTickets.entry)),
  ]);
  return promotion ? { promotion, entries: entries?.count ?? 0, tickets } : null;
}

export async function hasRaffle(db: Db, id: string): Promise<boolean> {
  const found = await db.select({ id: promotions.id }).from(promotions).where(eq(promotions.id, id));
  return found.length > 0;
}

/** A driver's entries in raffles that ended after an instant, with the raffle, the latest first. */
export function listRaffleEntries(db: Db, driverId: DriverId, endedAfter: EpochMs) {
  return db
    .select({
      promotionId: promotions.id,
      endsAt: promotions.endsAt,
      prize: promotions.prize,
      seed: promotions.seed,
      drawnAt: promotions.drawnAt,
      paymentId: raffleEntries.paymentId,
    })
    .from(raffleEntries)
    .innerJoin(promotions, eq(promotions.id, raffleEntries.promotionId))
    .where(and(eq(raffleEntries.driverId, driverId), gt(promotions.endsAt, endedAfter)))
    .orderBy(desc(promotions.endsAt), asc(raffleEntries.at));
}

/** The entries that won a raffle, the first one first. */
export async function listWinningEntries(db: Db, promotionId: string): Promise<string[]> {
  const rows = await db
    .select({ entry: raffleTickets.entry })
    .from(raffleTickets)
    .where(and(eq(raffleTickets.promotionId, promotionId), gt(raffleTickets.rank, 0)))
    .orderBy(asc(raffleTickets.rank));
  return rows.map(({ entry }) => entry);
}

/** Enters the raffles that ran when a payment was paid, or leaves those that aren't drawn yet. */
export type RaffleChange = { kind: "enter"; paidAt: EpochMs } | { kind: "leave" };

/** The statement that changes a payment's part in raffles, under a condition. */
export function raffleStatement(
  db: Db,
  { id, driverId, plan }: PaymentRow,
  { raffle, where }: { raffle: RaffleChange; where: SQL },
) {
  // Once a raffle's entries are closed, anyone may check the draw, so they stay as they are.
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
