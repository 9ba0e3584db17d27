import * as z from "zod/mini";
import { shownPlan } from "../../../db/shapes/money/plans.ts";
import { rafflePrize, raffleTicket } from "../../../db/shapes/money/raffle.ts";
import { epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";

/** A raffle's id, as the operator chose it. Strict, since it becomes part of a path. */
export const raffleId = z.string().check(z.regex(/^[\w-]{1,64}$/));

/** The path of GET /status/raffles/{id}. */
export const raffleParams = z.object({ id: raffleId });

/** The draw's record, for good: it lets anybody draw again (db/shapes/money/raffle.ts). */
export const raffleDraw = z.object({
  seed: z.string(),
  /** The beacon's signature of the round that was named, in hex; null for a raffle that is drawn by its seed alone. */
  signature: z._default(z.nullable(z.string()), null),
  tickets: z.array(raffleTicket),
  /** The entries that won, the first one first. */
  winners: z.array(z.string()),
});
export type RaffleDraw = z.infer<typeof raffleDraw>;

/** The closed entries of a raffle, and the round of the public beacon that draws it, both published before that round. */
export const raffleClosing = z.object({
  at: epochMs,
  /** SHA-256 of the lines `<entry>:<holder>`, sorted. */
  entriesHash: z.string(),
  round: z.int(),
  roundAt: epochMs,
  /** The public key of the beacon's chain, in hex. */
  publicKey: z.string(),
});
export type RaffleClosing = z.infer<typeof raffleClosing>;

/** GET /status/raffles/{id}: everything that anybody needs to check the draw. */
export const raffle = z.object({
  id: z.string(),
  plan: shownPlan,
  startsAt: epochMs,
  endsAt: epochMs,
  winners: z.int(),
  prize: z.nullable(rafflePrize),
  /** SHA-256 of the seed, published when the raffle was made. */
  seedHash: z.string(),
  /** Whether a public beacon is mixed into the draw. Raffles of earlier releases are drawn by their seed alone. */
  hasBeacon: z._default(z.boolean(), false),
  /** Null until the entries are closed, and where there is no beacon. */
  closing: z._default(z.nullable(raffleClosing), null),
  entries: z.int(),
  /** The drivers who were in it got points instead of a draw. */
  isCompensated: z._default(z.boolean(), false),
  /** Null until it is drawn. */
  draw: z.nullable(raffleDraw),
});
export type Raffle = z.infer<typeof raffle>;

/** GET /flex/v1/raffles: the raffles that the driver is in, the latest first. */
export const rafflesResponse = z.object({
  raffles: z.array(
    z.object({
      id: z.string(),
      endsAt: epochMs,
      prize: z.nullable(rafflePrize),
      /** The driver's own, as the raffle's page lists them. */
      entries: z.array(z.string()),
      isDrawn: z.boolean(),
      /** Null until it is drawn, and where an earlier release drew it. */
      drawnAt: z._default(z.nullable(epochMs), null),
      hasWon: z.boolean(),
    }),
  ),
});
export type RafflesResponse = z.infer<typeof rafflesResponse>;

/** Raffles. */
export const RAFFLE_ROUTES = {
  "GET /status/raffles/{id}": {
    summary:
      "A raffle: the fingerprint of its seed from the start, that of its entries and the beacon's round from their closing, and all that is needed to check the draw.",
    auth: "none",
    params: raffleParams,
    responses: { 200: raffle },
    errors: ["not_found"],
  },
  "GET /flex/v1/raffles": {
    summary: "The raffles that the driver is in, and whether they won.",
    auth: "bearer",
    responses: { 200: rafflesResponse },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;
