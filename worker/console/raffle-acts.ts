import {
  compensationEffects,
  drawEffects,
  endRaffleEffects,
  isRaffleIdFree,
  isRaffleRunning,
  isUndrawnAsClosed,
  isUndrawnWith,
  listClosedTickets,
  listCompensatedRaffles,
  listRaffleDrawEntries,
  listRaffleEntrants,
  listRaffles,
  loadOperatorRaffle,
  raffleEffects,
  type OperatorRaffle,
} from "../../db/queries/operators/raffles.ts";
import {
  DRAW_BY_BEACON,
  drawWinners,
  entriesHashOf,
  ticketOf,
  type RaffleTicket,
} from "../../db/shapes/money/raffle.ts";
import { isBeaconOf } from "../../db/shapes/money/verify-beacon.ts";
import type { DeploymentAct } from "../contract/console/operator-acts.ts";
import type { RaffleListResponse } from "../contract/console/operator-deployment.ts";
import type { RaffleClosing } from "../contract/money/raffles.ts";
import { fetchBeacon, describeClosing } from "../payments/raffles.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import type { ConsoleContext, ActPlan } from "./acts.ts";

type ActOf<Name extends DeploymentAct["act"]> = Extract<DeploymentAct, { act: Name }>;

const LIST_LIMIT = 50;

/** A raffle of whose seed the server gets the fingerprint, and the seed only as the operator's browser sealed it. */
export async function planRaffle(
  { db, deps }: ConsoleContext,
  { raffle: id, plan, startsAt, endsAt, winners, prize, seedHash, sealedSeed }: ActOf<"raffle">,
): ReturnType<ActPlan> {
  if (endsAt <= Math.max(startsAt, deps.now()))
    throw new ApiError("invalid_request", { fields: { endsAt: "too_small" } });
  if (await loadOperatorRaffle(db, id))
    throw new ApiError("invalid_request", { fields: { raffle: "invalid" } });
  return {
    before: {},
    after: { startsAt, endsAt, winners },
    worthCents: 0,
    condition: isRaffleIdFree(id),
    effects: (where) =>
      raffleEffects(db, where, { id, plan, startsAt, endsAt, winners, prize, seedHash, sealedSeed }),
  };
}

/** Ends a raffle now: what is paid from here on is no entry. */
export async function planEndOfRaffle(
  { db, deps }: ConsoleContext,
  { raffle: id }: ActOf<"end_raffle">,
): ReturnType<ActPlan> {
  const now = deps.now();
  const raffle = await loadOperatorRaffle(db, id);
  if (!raffle) throw new ApiError("not_found");
  if (raffle.isDrawn || raffle.endsAt <= now) throw new ApiError("conflict");
  return {
    before: { endsAt: raffle.endsAt },
    after: { endsAt: now },
    worthCents: 0,
    condition: isRaffleRunning(id, now),
    effects: (where) => endRaffleEffects(db, where, { id, now }),
  };
}

/** The tickets and the beacon of a draw, and the condition that they are still those. */
type DrawSource = {
  signature: string | null;
  tickets: readonly RaffleTicket[];
  entrants: readonly { paymentId: string; driverId: DriverId }[];
  condition: ReturnType<typeof isUndrawnWith>;
};

/** Draws a raffle that is over with the seed that its fingerprint was made of, and the beacon that its closing named. */
export async function planDraw(
  context: ConsoleContext,
  { raffle: id, seed, signature }: ActOf<"draw">,
): ReturnType<ActPlan> {
  const { db, deps } = context;
  const now = deps.now();
  const raffle = await loadOperatorRaffle(db, id);
  if (!raffle) throw new ApiError("not_found");
  const closing = describeClosing(raffle);
  const isReady = raffle.drawVersion !== DRAW_BY_BEACON || (closing !== null && closing.roundAt <= now);
  if (statusAt(raffle, now) !== "over" || !isReady) throw new ApiError("conflict");
  if ((await sha256Hex(seed)) !== raffle.seedHash)
    throw new ApiError("invalid_request", { fields: { seed: "invalid" } });
  const source = closing
    ? await closedSource(context, { id, closing, typed: signature })
    : await openSource(context, id);
  const drawn = await drawWinners({ seed, ...source, winners: raffle.winners });
  const ranks = new Map(drawn.map((entry, index) => [entry, index + 1]));
  const tickets = source.tickets.map(({ entry, holder }) => ({
    entry,
    holder,
    rank: ranks.get(entry) ?? null,
  }));
  const ticketed = await Promise.all(
    source.entrants.map(async ({ paymentId, driverId }) => ({
      driverId,
      ...(await ticketOf({ promotionId: id, paymentId, driverId })),
    })),
  );
  const winners = ticketed
    .filter(({ entry }) => ranks.has(entry))
    .map(({ entry, driverId }) => ({ entry, driverId }));
  return {
    before: { entries: tickets.length },
    after: { entries: tickets.length, winners: drawn.length },
    worthCents: 0,
    condition: source.condition,
    effects: (where) =>
      drawEffects(db, where, { id, seed, signature: source.signature, tickets, winners, now }),
  };
}

/** A raffle of an earlier release: its entries are those of now. */
async function openSource({ db }: ConsoleContext, id: string): Promise<DrawSource> {
  const entrants = await listRaffleDrawEntries(db, id);
  const tickets = await Promise.all(
    entrants.map(({ paymentId, driverId }) => ticketOf({ promotionId: id, paymentId, driverId })),
  );
  const condition = isUndrawnWith(
    id,
    entrants.map(({ paymentId }) => paymentId),
  );
  return { signature: null, tickets, entrants, condition };
}

/**
 * The entries as they were closed, and the beacon's signature: from its servers, or typed by the operator where they can't be
 * reached. Payments that were given back since, and drivers who left, keep their numbers: nobody moves up by that.
 */
async function closedSource(
  { db, deps }: ConsoleContext,
  { id, closing, typed }: { id: string; closing: RaffleClosing; typed: string | undefined },
): Promise<DrawSource> {
  const { round, publicKey, entriesHash } = closing;
  const isTypedRight = typed !== undefined && (await isBeaconOf(round, { signature: typed, publicKey }));
  if (typed !== undefined && !isTypedRight)
    throw new ApiError("invalid_request", { fields: { signature: "invalid" } });
  const signature = typed ?? (await fetchBeacon(deps, { round, publicKey }));
  if (signature === null) throw new ApiError("invalid_request", { fields: { signature: "required" } });
  const [tickets, entrants] = await Promise.all([listClosedTickets(db, id), listRaffleEntrants(db, id)]);
  // Somebody changed the rows of the closed entries.
  if ((await entriesHashOf(tickets)) !== entriesHash) throw new ApiError("conflict");
  return { signature, tickets, entrants, condition: isUndrawnAsClosed(id, entriesHash) };
}

/**
 * Gives points to each driver in a raffle that is over and can't be drawn. It closes the raffle's draw: points and a
 * prize would be two compensations for one ticket.
 */
export async function planRaffleCompensation(
  { db, deps }: ConsoleContext,
  id: string,
  { raffle: name, points }: ActOf<"compensate_raffle">,
): ReturnType<ActPlan> {
  const now = deps.now();
  const raffle = await loadOperatorRaffle(db, name);
  if (!raffle) throw new ApiError("not_found");
  if (raffle.isDrawn || raffle.endsAt > now) throw new ApiError("conflict");
  const entries = await listRaffleDrawEntries(db, name);
  const drivers = [...new Set(entries.map(({ driverId }) => driverId))];
  if (drivers.length === 0) throw new ApiError("conflict");
  return {
    before: { entries: entries.length },
    after: { entries: 0, drivers: drivers.length, points: points * drivers.length },
    worthCents: 0,
    condition: isUndrawnWith(
      name,
      entries.map(({ paymentId }) => paymentId),
    ),
    effects: (where) => compensationEffects(db, where, { act: id, raffle: name, drivers, points, now }),
  };
}

/** The raffles that end last, first. Owners get each seed as it was sealed, for their browser to open. */
export async function listRafflesFor({ db, deps, operator }: ConsoleContext): Promise<RaffleListResponse> {
  const found = await listRaffles(db, LIST_LIMIT + 1);
  const rows = found.slice(0, LIST_LIMIT);
  const now = deps.now();
  // A compensation takes all entries out. Most lists have none that could be it.
  const emptied = rows.filter((row) => row.entries === 0 && statusAt(row, now) === "over");
  const since = Math.min(...emptied.map(({ endsAt }) => endsAt));
  const compensated = emptied.length > 0 ? await listCompensatedRaffles(db, since) : new Set<string>();
  return {
    raffles: rows.map((row) => {
      const { isDrawn, sealedSeed, drawVersion, closedAt: _at, entriesHash: _hash, ...rest } = row;
      const { beaconRound: _round, beaconKey: _key, ...raffle } = rest;
      return {
        ...raffle,
        hasBeacon: drawVersion === DRAW_BY_BEACON,
        closing: describeClosing(row),
        status: statusAt(row, now),
        isCompensated: compensated.has(row.id),
        sealedSeed: operator.role === "owner" && !isDrawn ? sealedSeed : null,
      };
    }),
    hasMore: found.length > rows.length,
  };
}

function statusAt(
  { startsAt, endsAt, isDrawn }: OperatorRaffle,
  now: EpochMs,
): RaffleListResponse["raffles"][number]["status"] {
  if (isDrawn) return "drawn";
  if (endsAt <= now) return "over";
  return startsAt > now ? "ahead" : "running";
}
