import * as z from "zod/mini";
import { recordOf } from "../record-of.ts";
import { epochMs } from "../units.ts";
import { PLAN_DAYS, PLANS_FOR_SALE } from "./plans.ts";

/** The rewards that points buy: days of service, or a friend's trial. */
export const REWARDS = [...PLANS_FOR_SALE, "friend_invitation"] as const;
export const reward = z.enum(REWARDS);
export type Reward = z.infer<typeof reward>;

const POINTS_PER_DAY_BOUGHT = 100;

/** The cost of each, in points. A plan costs the same where its days are paid for with points at the checkout. */
export const POINTS_COST: Readonly<Record<Reward, number>> = {
  ...recordOf(PLANS_FOR_SALE, (sold) => PLAN_DAYS[sold] * POINTS_PER_DAY_BOUGHT),
  friend_invitation: 150,
};

/** The days of service that an inviter gets for a friend's first paid plan. */
export const INVITATION_DAYS = 10;

/**
 * The kind of an entry of the points ledger. `earned`: for paid days. `reserved`: spent on a payment that may not be
 * decided yet; `released`: returned, since nobody paid it. `refunded`: a refund or a dispute took earned points and
 * returned spent ones; `refund_undone`: it failed after all. `redeemed`: spent on a reward. `other`: anything else, such
 * as a gift of the operator's.
 */
export const pointEntryKind = z.enum([
  "earned",
  "reserved",
  "released",
  "refunded",
  "refund_undone",
  "redeemed",
  "other",
]);
export type PointEntryKind = z.infer<typeof pointEntryKind>;

/** One line of the points ledger. `reward` is set where points were redeemed, and the reward is known. */
export const pointEntry = z.object({
  kind: pointEntryKind,
  reward: z.nullable(reward),
  points: z.int(),
  at: epochMs,
});
export type PointEntry = z.infer<typeof pointEntry>;
