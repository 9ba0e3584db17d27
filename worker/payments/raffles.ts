import type { Db } from "../../db/client.ts";
import { listRaffleEntries, listWinningEntries, loadRaffle } from "../../db/queries/payments/raffles.ts";
import { ticketOf } from "../../db/shapes/money/raffle.ts";
import { DAY_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import type { Raffle, RafflesResponse } from "../contract/money/raffles.ts";

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
    entries: seed === null ? entries : tickets.length,
    draw:
      seed === null
        ? null
        : {
            seed,
            tickets: tickets.map(({ entry, holder }) => ({ entry, holder })),
            winners: ranked.map(({ entry }) => entry),
          },
  };
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
