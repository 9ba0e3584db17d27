import type { RewardsResponse } from "../../../worker/contract/money/rewards.ts";
import type { Reward } from "../../../db/shapes/money/rewards.ts";

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
