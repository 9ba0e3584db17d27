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
  tickets: z.array(raffleTicket),
  /** The entries that won, the first one first. */
  winners: z.array(z.string()),
});
export type RaffleDraw = z.infer<typeof raffleDraw>;

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
  entries: z.int(),
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
      hasWon: z.boolean(),
    }),
  ),
});
export type RafflesResponse = z.infer<typeof rafflesResponse>;

/** Raffles. */
export const RAFFLE_ROUTES = {
  "GET /status/raffles/{id}": {
    summary:
      "A raffle: the fingerprint of its seed from the start, and all that is needed to check the draw.",
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
