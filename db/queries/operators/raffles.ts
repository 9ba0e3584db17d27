import { and, desc, eq, gt, inArray, isNull, sql, type SQL } from "drizzle-orm";
import { plan } from "../../shapes/money/plans.ts";
import type { RaffleTerms, RaffleTicket } from "../../shapes/money/raffle.ts";
import { MINUTE_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { jsonRows, qualified } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { undeliveredNews } from "../../schema/news.ts";
import { payments, promotions, raffleEntries, raffleTickets } from "../../schema/payments.ts";

// Raffles as operators make, end and draw them. Each effect does nothing unless `where` holds.

/** D1 takes two megabytes as one value: so many tickets are far below. */
const TICKETS_A_STATEMENT = 5000;

const columns = {
  id: promotions.id,
  plan: promotions.plan,
  startsAt: promotions.startsAt,
  endsAt: promotions.endsAt,
  winners: promotions.winners,
  prize: promotions.prize,
  seedHash: promotions.seedHash,
  sealedSeed: promotions.sealedSeed,
  isDrawn: sql<boolean>`${promotions.seed} IS NOT NULL`.mapWith(Boolean),
  entries: qualified(
    sql<number>`(SELECT count(*) FROM ${raffleEntries} WHERE ${raffleEntries.promotionId} = ${promotions.id})`,
  ),
};

/** The raffles that end last, first. */
export function listRaffles(db: Db, limit: number) {
  return db
    .select(columns)
    .from(promotions)
    .where(inArray(promotions.plan, plan.options))
    .orderBy(desc(promotions.endsAt))
    .limit(limit);
}

export type OperatorRaffle = Awaited<ReturnType<typeof listRaffles>>[number];

export async function loadOperatorRaffle(db: Db, id: string): Promise<OperatorRaffle | null> {
  const [row] = await db.select(columns).from(promotions).where(eq(promotions.id, id));
  return row ?? null;
}

/** That no raffle has an id. */
export function isRaffleIdFree(id: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${promotions} WHERE ${promotions.id} = ${id})`;
}

export type NewRaffle = RaffleTerms & { seedHash: string; sealedSeed: string | null };

export function raffleEffects(db: Db, where: SQL, raffle: NewRaffle) {
  const { id, plan: sold, startsAt, endsAt, winners, prize, seedHash, sealedSeed } = raffle;
  const row = { id, plan: sold, startsAt, endsAt, winners, prize, seedHash, sealedSeed };
  return [insertWhere(db, promotions, row, where)];
}

/** A raffle that is not over, as a condition. */
export function isRaffleRunning(id: string, now: EpochMs): SQL {
  return sql`EXISTS (SELECT 1 FROM ${promotions}
    WHERE ${promotions.id} = ${id} AND ${promotions.endsAt} > ${now} AND ${promotions.seed} IS NULL)`;
}

export function endRaffleEffects(db: Db, where: SQL, { id, now }: { id: string; now: EpochMs }) {
  return [
    db
      .update(promotions)
      .set({ endsAt: now })
      .where(and(eq(promotions.id, id), gt(promotions.endsAt, now), isNull(promotions.seed), where)),
  ];
}

/** Entries of payments that were given back are out. */
const entriesOf = (
  id: string,
) => sql`FROM ${raffleEntries} JOIN ${payments} ON ${payments.id} = ${raffleEntries.paymentId}
  WHERE ${raffleEntries.promotionId} = ${id} AND ${payments.status} NOT IN ('refunded', 'dispute_lost')`;

/** The entries that a draw is made of, in the order of their payments. */
export function listRaffleDrawEntries(
  db: Db,
  id: string,
): Promise<{ paymentId: string; driverId: DriverId }[]> {
  const { paymentId, driverId } = raffleEntries;
  return db.all(
    sql`SELECT ${paymentId} AS paymentId, ${driverId} AS driverId ${entriesOf(id)} ORDER BY ${paymentId}`,
  );
}

/** That a raffle is not drawn, and its entries are those that were read: a payment or a refund meanwhile makes another draw. */
export function isUndrawnWith(id: string, paymentIds: readonly string[]): SQL {
  const { paymentId } = raffleEntries;
  return sql`EXISTS (SELECT 1 FROM ${promotions} WHERE ${promotions.id} = ${id} AND ${promotions.seed} IS NULL)
    AND (SELECT json_group_array(entered) FROM (SELECT ${paymentId} AS entered ${entriesOf(id)} ORDER BY ${paymentId})) = ${JSON.stringify(paymentIds)}`;
}

/** Closes the entries, publishes seed and tickets, and leaves the news for the winners, which the next minute delivers. */
export function drawEffects(
  db: Db,
  where: SQL,
  draw: {
    id: string;
    seed: string;
    tickets: readonly (RaffleTicket & { rank: number | null })[];
    winners: readonly { entry: string; driverId: DriverId }[];
    now: EpochMs;
  },
) {
  const { id, seed, tickets, winners, now } = draw;
  const chunks = Array.from({ length: Math.ceil(tickets.length / TICKETS_A_STATEMENT) }, (_, index) =>
    jsonRows(tickets.slice(index * TICKETS_A_STATEMENT, (index + 1) * TICKETS_A_STATEMENT)),
  );
  const won = jsonRows(winners);
  return [
    // The remains of an earlier draw that was cut off.
    db.delete(raffleTickets).where(and(eq(raffleTickets.promotionId, id), where)),
    ...chunks.map(({ source, field }) =>
      insertFrom(
        db,
        raffleTickets,
        { promotionId: id, entry: field("entry"), holder: field("holder"), rank: field("rank") },
        sql`FROM ${source} WHERE ${where}`,
      ),
    ),
    insertFrom(
      db,
      undeliveredNews,
      {
        source: sql`'raffle:' || ${id} || ':' || ${won.field("entry")}`,
        driverId: won.field("driverId"),
        kind: "raffle_won",
        subject: id,
        at: now - 2 * MINUTE_MS,
      },
      sql`FROM ${won.source} WHERE ${where}`,
    ).onConflictDoNothing(),
    db
      .update(promotions)
      .set({ seed, closedAt: sql`coalesce(${promotions.closedAt}, ${now})` })
      .where(and(eq(promotions.id, id), isNull(promotions.seed), where)),
  ];
}
