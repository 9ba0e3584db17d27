import type { Db } from "../../db/client.ts";
import { listRaffleEntries, listWinningEntries, loadRaffle } from "../../db/queries/payments/raffles.ts";
import { DRAW_BY_BEACON, ticketOf } from "../../db/shapes/money/raffle.ts";
import { DAY_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import { beaconTime } from "../../db/shapes/money/beacon.ts";
import type { Raffle, RaffleClosing, RafflesResponse } from "../contract/money/raffles.ts";

/** How long a driver sees a raffle after it ended. */
const SHOWN_MS = 60 * DAY_MS;

/** The public view of a raffle; null if there is none. */
export async function describeRaffle(db: Db, id: string): Promise<Raffle | null> {
  const found = await loadRaffle(db, id);
  if (!found) return null;
  const { promotion, entries, tickets } = found;
  const { plan, startsAt, endsAt, winners, prize, seedHash, seed } = promotion;
  const ranked = tickets
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  return {
    id,
    plan,
    startsAt,
    endsAt,
    winners,
    prize,
    seedHash,
    hasBeacon: promotion.drawVersion === DRAW_BY_BEACON,
    closing: describeClosing(promotion),
    // From the closing on, those that left the account or the product are still among them.
    entries: promotion.closedAt === null && seed === null ? entries : tickets.length,
    draw:
      seed === null
        ? null
        : {
            seed,
            signature: promotion.beaconSignature,
            tickets: tickets.map(({ entry, holder }) => ({ entry, holder })),
            winners: ranked.map(({ entry }) => entry),
          },
  };
}

/** The closed entries and the beacon's round; null until they are closed. */
export function describeClosing(row: {
  closedAt: EpochMs | null;
  entriesHash: string | null;
  beaconRound: number | null;
  beaconKey: string | null;
}): RaffleClosing | null {
  const { closedAt: at, entriesHash, beaconRound: round, beaconKey: publicKey } = row;
  if (at === null || entriesHash === null || round === null || publicKey === null) return null;
  return { at, entriesHash, round, roundAt: beaconTime(round), publicKey };
}

/** The raffles that a driver is in, with their entries as the raffle's page lists them. */
export async function listDriverRaffles(db: Db, driverId: DriverId, now: EpochMs): Promise<RafflesResponse> {
  const rows = await listRaffleEntries(db, driverId, now - SHOWN_MS);
  const byRaffle = Map.groupBy(rows, ({ promotionId }) => promotionId);
  const raffles = await Promise.all(
    [...byRaffle].map(async ([id, [first, ...others]]) => {
      if (!first) return [];
      const { endsAt, prize, seed } = first;
      const tickets = await Promise.all(
        [first, ...others].map(({ paymentId }) => ticketOf({ promotionId: id, paymentId, driverId })),
      );
      const entries = tickets.map(({ entry }) => entry);
      const won = seed === null ? [] : await listWinningEntries(db, id);
      const hasWon = entries.some((entry) => won.includes(entry));
      return [{ id, endsAt, prize, entries, isDrawn: seed !== null, hasWon }];
    }),
  );
  return { raffles: raffles.flat() };
}
