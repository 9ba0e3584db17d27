import { asc, count, desc, eq, gt, and } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { promotions, raffleEntries, raffleTickets } from "../../schema/payments.ts";

/** A raffle with its entries: the tickets once it is drawn, until then only how many there are. Null if there is none. */
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

/** A driver's entries in raffles that ended after an instant, with the raffle, the latest first. */
export function listRaffleEntries(db: Db, driverId: DriverId, endedAfter: EpochMs) {
  return db
    .select({
      promotionId: promotions.id,
      endsAt: promotions.endsAt,
      prize: promotions.prize,
      seed: promotions.seed,
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
