import { and, asc, desc, eq, gt, gte, inArray, isNull, lte, sql, type SQL } from "drizzle-orm";
import { plan } from "../../shapes/money/plans.ts";
import { DRAW_BY_BEACON, type RaffleTerms, type RaffleTicket } from "../../shapes/money/raffle.ts";
import { MINUTE_MS, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { jsonRows, qualified } from "../../expressions.ts";
import { insertFrom, insertWhere } from "../../insert-where.ts";
import { partsOf } from "../../parts-of.ts";
import { operatorActs } from "../../schema/operators.ts";
import { undeliveredNews } from "../../schema/voice.ts";
import { payments, pointEntries, promotions, raffleEntries, raffleTickets } from "../../schema/payments.ts";

// Raffles as operators make, end and draw them. Each effect does nothing unless `where` holds.

/** D1 takes two megabytes as one value: so many tickets are far below, and so many ids. */
const TICKETS_A_STATEMENT = 5000;
const IDS_A_VALUE = 10_000;

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
  drawVersion: promotions.drawVersion,
  closedAt: promotions.closedAt,
  entriesHash: promotions.entriesHash,
  beaconRound: promotions.beaconRound,
  beaconKey: promotions.beaconKey,
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

/** Of raffles that ended at some instant or later: those whose drivers were compensated. */
export async function listCompensatedRaffles(db: Db, since: EpochMs): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ what: operatorActs.what })
    .from(operatorActs)
    .where(and(gte(operatorActs.at, since), eq(operatorActs.act, "compensate_raffle")));
  return new Set(rows.flatMap(({ what: { raffle } }) => (typeof raffle === "string" ? [raffle] : [])));
}

/** That no raffle has an id. */
export function isRaffleIdFree(id: string): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${promotions} WHERE ${promotions.id} = ${id})`;
}

export type NewRaffle = RaffleTerms & { seedHash: string; sealedSeed: string | null };

export function raffleEffects(db: Db, where: SQL, raffle: NewRaffle) {
  const { id, plan: sold, startsAt, endsAt, winners, prize, seedHash, sealedSeed } = raffle;
  const drawVersion = DRAW_BY_BEACON;
  const row = { id, plan: sold, startsAt, endsAt, winners, prize, seedHash, sealedSeed, drawVersion };
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

/**
 * That a raffle is not drawn, and its entries are those that were read: a payment or a refund meanwhile makes other ones. They
 * are compared part by part, from the first id of each up to that of the next.
 */
export function isUndrawnWith(id: string, paymentIds: readonly string[]): SQL {
  const { paymentId } = raffleEntries;
  const parts = paymentIds.length === 0 ? [[]] : partsOf(paymentIds, IDS_A_VALUE);
  const areSame = parts.map((part, index) => {
    const from = index === 0 ? sql`` : sql`AND ${paymentId} >= ${part[0] ?? ""}`;
    const [next] = parts[index + 1] ?? [];
    const to = next === undefined ? sql`` : sql`AND ${paymentId} < ${next}`;
    return sql`(SELECT json_group_array(entered) FROM (SELECT ${paymentId} AS entered ${entriesOf(id)} ${from} ${to}
      ORDER BY ${paymentId})) = ${JSON.stringify(part)}`;
  });
  return sql`EXISTS (SELECT 1 FROM ${promotions} WHERE ${promotions.id} = ${id} AND ${promotions.seed} IS NULL)
    AND ${sql.join(areSame, sql` AND `)}`;
}

/** Gives points to drivers and takes the raffle's entries out: a second compensation finds nobody, and a draw no ticket. */
export function compensationEffects(
  db: Db,
  where: SQL,
  {
    act,
    raffle,
    drivers,
    points,
    now,
  }: { act: string; raffle: string; drivers: readonly DriverId[]; points: number; now: EpochMs },
) {
  return [
    ...partsOf(drivers, IDS_A_VALUE).map((some) =>
      insertFrom(
        db,
        pointEntries,
        { source: sql`${`operator:${act}:`} || value`, driverId: sql`value`, points, at: now },
        sql`FROM json_each(${JSON.stringify(some)}) WHERE ${where}`,
      ),
    ),
    // Closed tickets, too: without them a draw doesn't find what was published.
    db.delete(raffleTickets).where(and(eq(raffleTickets.promotionId, raffle), where)),
    db.delete(raffleEntries).where(and(eq(raffleEntries.promotionId, raffle), where)),
  ];
}

type RankedTicket = RaffleTicket & { rank: number | null };

/** Writes a raffle's tickets in place of those that are there. */
function ticketEffects(
  db: Db,
  where: SQL,
  { id, tickets }: { id: string; tickets: readonly RankedTicket[] },
) {
  const chunks = partsOf(tickets, TICKETS_A_STATEMENT).map((some) => jsonRows(some));
  return [
    db.delete(raffleTickets).where(and(eq(raffleTickets.promotionId, id), where)),
    ...chunks.map(({ source, field }) =>
      insertFrom(
        db,
        raffleTickets,
        { promotionId: id, entry: field("entry"), holder: field("holder"), rank: field("rank") },
        sql`FROM ${source} WHERE ${where}`,
      ),
    ),
  ] as const;
}

/** The ids of raffles that a beacon will draw, which ended before an instant and whose entries are still open. */
export async function listRafflesToClose(db: Db, endedBefore: EpochMs, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: promotions.id })
    .from(promotions)
    .where(
      and(
        lte(promotions.endsAt, endedBefore),
        eq(promotions.drawVersion, DRAW_BY_BEACON),
        isNull(promotions.closedAt),
        isNull(promotions.seed),
      ),
    )
    .orderBy(asc(promotions.endsAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

type Closing = {
  id: string;
  paymentIds: readonly string[];
  tickets: readonly RaffleTicket[];
  entriesHash: string;
  beaconRound: number;
  beaconKey: string;
  now: EpochMs;
};

/**
 * Closes a raffle's entries as they were read, and names the beacon's round. Does nothing if they changed meanwhile, or
 * are closed. The entries are compared once, by the first statement, which the others look at.
 */
export async function closeEntries(
  db: Db,
  { id, paymentIds, tickets, now, ...named }: Closing,
): Promise<void> {
  const isClosedSo = sql`EXISTS (SELECT 1 FROM ${promotions} WHERE ${promotions.id} = ${id} AND ${promotions.seed} IS NULL
    AND ${promotions.closedAt} = ${now} AND ${promotions.entriesHash} = ${named.entriesHash})`;
  const unranked = tickets.map(({ entry, holder }) => ({ entry, holder, rank: null }));
  await db.batch([
    db
      .update(promotions)
      .set({ ...named, closedAt: now })
      .where(and(eq(promotions.id, id), isNull(promotions.closedAt), isUndrawnWith(id, paymentIds))),
    ...ticketEffects(db, isClosedSo, { id, tickets: unranked }),
  ]);
}

/** The tickets of a raffle whose entries are closed. */
export function listClosedTickets(db: Db, id: string): Promise<RaffleTicket[]> {
  return db
    .select({ entry: raffleTickets.entry, holder: raffleTickets.holder })
    .from(raffleTickets)
    .where(eq(raffleTickets.promotionId, id));
}

/** The payments behind the entries, those that were given back since the closing included. */
export function listRaffleEntrants(db: Db, id: string): Promise<{ paymentId: string; driverId: DriverId }[]> {
  return db
    .select({ paymentId: raffleEntries.paymentId, driverId: raffleEntries.driverId })
    .from(raffleEntries)
    .where(eq(raffleEntries.promotionId, id));
}

/** That a raffle is not drawn, and its entries were closed as they were read. */
export function isUndrawnAsClosed(id: string, entriesHash: string): SQL {
  return sql`EXISTS (SELECT 1 FROM ${promotions} WHERE ${promotions.id} = ${id} AND ${promotions.seed} IS NULL
    AND ${promotions.entriesHash} = ${entriesHash})`;
}

/** Publishes seed, beacon and tickets, and leaves the news for the winners, which the next minute delivers. */
export function drawEffects(
  db: Db,
  where: SQL,
  draw: {
    id: string;
    seed: string;
    /** The beacon's; null for a raffle that is drawn by its seed alone. */
    signature: string | null;
    tickets: readonly RankedTicket[];
    winners: readonly { entry: string; driverId: DriverId }[];
    now: EpochMs;
  },
) {
  const { id, seed, signature, tickets, winners, now } = draw;
  const won = jsonRows(winners);
  return [
    ...ticketEffects(db, where, { id, tickets }),
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
      .set({
        seed,
        beaconSignature: signature,
        closedAt: sql`coalesce(${promotions.closedAt}, ${now})`,
        drawnAt: now,
      })
      .where(and(eq(promotions.id, id), isNull(promotions.seed), where)),
  ];
}
