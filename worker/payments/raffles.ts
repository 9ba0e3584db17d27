import * as z from "zod";
import type { Db } from "../../db/client.ts";
import { listRaffleEntries, listWinningEntries, loadRaffle } from "../../db/queries/payments/raffles.ts";
import {
  DRAW_BY_BEACON,
  ticketOf,
  ENTRIES_CLOSE_AFTER_MS,
  entriesHashOf,
  ROUND_AHEAD_MS,
} from "../../db/shapes/money/raffle.ts";
import { DAY_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import { beaconTime, beaconRoundFrom } from "../../db/shapes/money/beacon.ts";
import {
  closeEntries,
  listCompensatedRaffles,
  listRaffleDrawEntries,
  listRafflesToClose,
} from "../../db/queries/operators/raffles.ts";
import type { Deps } from "../../durable/deps.ts";
import { isBeaconOf } from "../../db/shapes/money/verify-beacon.ts";
import { errorName } from "../../durable/runtime/describe-error.ts";
import type { Raffle, RaffleClosing, RafflesResponse } from "../contract/money/raffles.ts";

/** How long after its end a raffle's page knows the driver's entries: it may be drawn late. */
const KNOWN_MS = 366 * DAY_MS;

/** The public view of a raffle; null if there is none. */
export async function describeRaffle(db: Db, id: string): Promise<Raffle | null> {
  const found = await loadRaffle(db, id);
  if (!found) return null;
  const { promotion, entries, tickets } = found;
  const { plan, startsAt, endsAt, winners, prize, seedHash, seed } = promotion;
  const ranked = tickets
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0));
  // A compensation takes all entries out. Most raffles have some.
  const isEmptied = seed === null && entries === 0;
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
    isCompensated: isEmptied && (await listCompensatedRaffles(db, endsAt)).has(id),
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
  const rows = await listRaffleEntries(db, driverId, now - KNOWN_MS);
  const byRaffle = Map.groupBy(rows, ({ promotionId }) => promotionId);
  const raffles = await Promise.all(
    [...byRaffle].map(async ([id, [first, ...others]]) => {
      if (!first) return [];
      const { endsAt, prize, seed, drawnAt } = first;
      const tickets = await Promise.all(
        [first, ...others].map(({ paymentId }) => ticketOf({ promotionId: id, paymentId, driverId })),
      );
      const entries = tickets.map(({ entry }) => entry);
      const won = seed === null ? [] : await listWinningEntries(db, id);
      const hasWon = entries.some((entry) => won.includes(entry));
      return [{ id, endsAt, prize, entries, isDrawn: seed !== null, drawnAt, hasWon }];
    }),
  );
  return { raffles: raffles.flat() };
}

type ClosingDeps = Pick<Deps, "db" | "now" | "log"> & { config: Pick<Deps["config"], "beacon"> };

const RAFFLES_PER_RUN = 5;

/**
 * Every minute: closes the entries of raffles that ended a while ago, publishes their fingerprint, and names the round of the
 * public beacon that will draw them. From here on neither a payment nor a refund changes who takes part, and nobody knows the
 * round yet: whoever knows the seed can't bend the draw by either.
 */
export async function closeRaffles(deps: ClosingDeps): Promise<void> {
  const { db, now, log, config } = deps;
  for (const id of await listRafflesToClose(db, now() - ENTRIES_CLOSE_AFTER_MS, RAFFLES_PER_RUN)) {
    const entries = await listRaffleDrawEntries(db, id);
    const tickets = await Promise.all(
      entries.map(({ paymentId, driverId }) => ticketOf({ promotionId: id, paymentId, driverId })),
    );
    const at = now();
    const round = beaconRoundFrom(at + ROUND_AHEAD_MS);
    await closeEntries(db, {
      id,
      paymentIds: entries.map(({ paymentId }) => paymentId),
      tickets,
      entriesHash: await entriesHashOf(tickets),
      beaconRound: round,
      beaconKey: config.beacon.publicKey,
      now: at,
    });
    log("info", "raffle.closed", { raffle: id, entries: tickets.length, round });
  }
}

type BeaconDeps = Pick<Deps, "send" | "log"> & { config: Pick<Deps["config"], "beacon"> };

const REQUEST_LIMIT_MS = 10_000;

const answer = z.object({ round: z.number(), signature: z.string() });

/** A round's signature from the beacon's servers, verified; null if they don't have it or it isn't right. */
export async function fetchBeacon(
  { send, log, config }: BeaconDeps,
  { round, publicKey }: { round: number; publicKey: string },
): Promise<string | null> {
  const fail = (reason: string) => {
    log("error", "raffle.beacon.failed", { round, reason });
    return null;
  };
  try {
    const response = await send(
      new Request(`${config.beacon.url}/public/${round}`, { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) }),
    );
    if (!response.ok) return fail(`status ${response.status}`);
    const given = answer.safeParse(await response.json());
    if (!given.success) return fail("unreadable");
    const { signature } = given.data;
    if (given.data.round !== round) return fail("another round");
    return (await isBeaconOf(round, { signature, publicKey })) ? signature : fail("wrong signature");
  } catch (error) {
    return fail(errorName(error));
  }
}
