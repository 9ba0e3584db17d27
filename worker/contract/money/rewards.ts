import * as z from "zod/mini";
import { planForSale } from "../../../db/shapes/money/plans.ts";
import { pointEntry, reward } from "../../../db/shapes/money/rewards.ts";
import { epochMs } from "../../../db/shapes/units.ts";
import { idempotencyKey, invitedNumber } from "./invitations.ts";
import type { ApiRoute } from "../api-route.ts";

/** GET /flex/v1/rewards. */
export const rewardsResponse = z.object({
  /** The points that can be redeemed now, without those reserved for an open payment. */
  points: z.int(),
  /** The catalogue, cheapest first. */
  rewards: z.array(z.object({ reward, points: z.int() })),
  /** The newest 100 entries, newest first. */
  entries: z.array(pointEntry),
});
export type RewardsResponse = z.infer<typeof rewardsResponse>;

/** POST /flex/v1/rewards/redeem. A friend's trial needs the friend's number. */
export const redeemInput = z.discriminatedUnion("reward", [
  z.strictObject({
    reward: planForSale,
    idempotencyKey,
  }),
  z.strictObject({
    reward: z.literal("friend_invitation"),
    idempotencyKey,
    phoneNumber: invitedNumber,
  }),
]);
export type RedeemInput = z.infer<typeof redeemInput>;

/** `isTexted`: the friend has our text. False where the number had one before, or it could not be sent. */
export const redeemResponse = z.object({
  points: z.int(),
  serviceUntil: z.nullable(epochMs),
  isTexted: z.boolean(),
});
export type RedeemResponse = z.infer<typeof redeemResponse>;

/** Points. */
export const REWARD_ROUTES = {
  "GET /flex/v1/rewards": {
    summary: "The driver's points, how they were earned and spent, and what they buy.",
    auth: "bearer",
    responses: { 200: rewardsResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/rewards/redeem": {
    summary: "Redeems points for a reward, once per idempotency key. The effect is immediate.",
    auth: "bearer",
    body: redeemInput,
    responses: { 200: redeemResponse },
    errors: [
      "not_found",
      "conflict",
      "points_short",
      "waiting_for_spot",
      "own_number",
      "already_registered",
      "already_invited",
      "invitations_used_up",
    ],
  },
} as const satisfies Record<string, ApiRoute>;
