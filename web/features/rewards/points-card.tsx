import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight, Gift } from "lucide-react";
import { rewardsQuery } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { countInputs, formatCount } from "../language/format.ts";
import { nextReward, formatReward } from "./reward-labels.ts";

/** The points on the dashboard: a way to the rewards that works without them too. */
export function PointsCard() {
  const { data: rewards } = useQuery(rewardsQuery);
  const next = rewards && nextReward(rewards);
  return (
    <Link
      to="/flex/rewards"
      data-testid="points-card"
      className="card flex min-h-18 items-center gap-3 px-5 py-3 hover:bg-sunken"
    >
      <Gift aria-hidden className="size-5 shrink-0 text-soft" />
      <span className="figures min-w-0 flex-1">
        <span className="block font-semibold">
          {rewards ? m.points_count(countInputs(rewards.points)) : m.nav_rewards()}
        </span>
        {next && (
          <span className="block text-sm text-soft">
            {m.rewards_next({ points: formatCount(next.missing), reward: formatReward(next.reward) })}
          </span>
        )}
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-soft" />
    </Link>
  );
}
