import { PLAN_DAYS } from "../../../db/shapes/money/plans.ts";
import type { PointEntry, PointEntryKind, Reward } from "../../../db/shapes/money/rewards.ts";
import { m } from "../../messages/messages.js";
import { formatDays } from "../language/format.ts";
import type { RewardsResponse } from "../../../worker/contract/money/rewards.ts";

/** `7 days of service`, `A friend's 1-day trial`. */
export function formatReward(reward: Reward): string {
  if (reward === "friend_invitation") return m.rewards_friend();
  return m.rewards_service({ days: formatDays(PLAN_DAYS[reward]) });
}

const ENTRY_LABELS = {
  earned: m.points_earned,
  reserved: m.points_spent,
  released: m.points_released,
  refunded: m.points_refunded,
  refund_undone: m.points_refund_undone,
  redeemed: m.points_redeemed,
  other: m.points_other,
} satisfies Record<PointEntryKind, () => string>;

/** The label of a ledger's line. */
export function formatPointEntry({ kind, reward }: PointEntry): string {
  return reward === null ? ENTRY_LABELS[kind]() : formatReward(reward);
}

/** The cheapest reward that the points are not enough for yet; null where they are enough for all. */
export function nextReward({
  points,
  rewards,
}: Pick<RewardsResponse, "points" | "rewards">): { reward: Reward; missing: number; cost: number } | null {
  const [next] = rewards
    .filter((candidate) => candidate.points > points)
    .toSorted((one, other) => one.points - other.points);
  return next ? { reward: next.reward, missing: next.points - points, cost: next.points } : null;
}
