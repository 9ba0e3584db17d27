import {
  drawEffects,
  endRaffleEffects,
  isRaffleIdFree,
  isRaffleRunning,
  isUndrawnWith,
  listRaffleDrawEntries,
  listRaffles,
  loadOperatorRaffle,
  raffleEffects,
  type OperatorRaffle,
} from "../../db/queries/operators/raffles.ts";
import { drawWinners, ticketOf } from "../../db/shapes/money/raffle.ts";
import type { DeploymentAct } from "../contract/console/operator-acts.ts";
import type { RaffleListResponse } from "../contract/console/operator-deployment.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import type { ActPlan } from "./act-plans.ts";
import type { ConsoleContext } from "./acts.ts";

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

/** Draws a raffle that is over with the seed that its fingerprint was made of. */
export async function planDraw(
  { db, deps }: ConsoleContext,
  { raffle: id, seed }: ActOf<"draw">,
): ReturnType<ActPlan> {
  const now = deps.now();
  const raffle = await loadOperatorRaffle(db, id);
  if (!raffle) throw new ApiError("not_found");
  if (raffle.isDrawn || raffle.endsAt > now) throw new ApiError("conflict");
  if ((await sha256Hex(seed)) !== raffle.seedHash)
    throw new ApiError("invalid_request", { fields: { seed: "invalid" } });
  const entries = await listRaffleDrawEntries(db, id);
  const ticketed = await Promise.all(
    entries.map(async ({ paymentId, driverId }) => ({
      driverId,
      ...(await ticketOf({ promotionId: id, paymentId, driverId })),
    })),
  );
  const drawn = await drawWinners({ seed, tickets: ticketed, winners: raffle.winners });
  const ranks = new Map(drawn.map((entry, index) => [entry, index + 1]));
  const tickets = ticketed.map(({ entry, holder }) => ({ entry, holder, rank: ranks.get(entry) ?? null }));
  const winners = ticketed
    .filter(({ entry }) => ranks.has(entry))
    .map(({ entry, driverId }) => ({ entry, driverId }));
  return {
    before: { entries: entries.length },
    after: { entries: entries.length, winners: winners.length },
    worthCents: 0,
    condition: isUndrawnWith(
      id,
      entries.map(({ paymentId }) => paymentId),
    ),
    effects: (where) => drawEffects(db, where, { id, seed, tickets, winners, now }),
  };
}

/** The raffles that end last, first. Owners get each seed as it was sealed, for their browser to open. */
export async function listRafflesFor({ db, deps, operator }: ConsoleContext): Promise<RaffleListResponse> {
  const rows = await listRaffles(db, LIST_LIMIT);
  const now = deps.now();
  return {
    raffles: rows.map(({ isDrawn, sealedSeed, ...raffle }) => ({
      ...raffle,
      status: isDrawn ? "drawn" : statusAt(raffle, now),
      sealedSeed: operator.role === "owner" && !isDrawn ? sealedSeed : null,
    })),
  };
}

function statusAt(
  { startsAt, endsAt }: Pick<OperatorRaffle, "startsAt" | "endsAt">,
  now: EpochMs,
): "ahead" | "running" | "over" {
  if (endsAt <= now) return "over";
  return startsAt > now ? "ahead" : "running";
}
