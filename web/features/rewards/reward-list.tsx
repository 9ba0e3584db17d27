import { CalendarPlus, UserPlus } from "lucide-react";
import type { Reward } from "../../../db/shapes/money/rewards.ts";
import type { RewardsResponse } from "../../../worker/contract/money/rewards.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { countInputs, formatCount } from "../language/format.ts";
import { formatReward } from "./reward-labels.ts";

/** What points buy: each with its cost, and a button or how far it is. */
export function RewardList({
  rewards: { points, rewards },
  onRedeem,
}: {
  rewards: RewardsResponse;
  onRedeem: (reward: Reward) => void;
}) {
  return (
    <TitledSection id="rewards-list" title={m.rewards_list()}>
      <ul className="card">
        {rewards.map(({ reward, points: cost }) => {
          const Icon = reward === "friend_invitation" ? UserPlus : CalendarPlus;
          return (
            <li
              key={reward}
              data-testid={`reward-${reward}`}
              className="figures flex min-h-18 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-4 py-3 last:border-b-0"
            >
              <Icon aria-hidden className="size-5 shrink-0 text-soft" />
              <div className="min-w-36 flex-1">
                <p className="font-semibold">{formatReward(reward)}</p>
                <p className="text-sm text-soft">{m.rewards_cost({ ...countInputs(cost) })}</p>
              </div>
              {points >= cost ? (
                <Button
                  onClick={() => onRedeem(reward)}
                  aria-label={m.rewards_redeem_what({ reward: formatReward(reward) })}
                >
                  {m.rewards_redeem()}
                </Button>
              ) : (
                <div className="grid basis-full gap-1 pl-8 text-sm text-soft sm:basis-36 sm:pl-0 sm:text-right">
                  <span>{m.rewards_missing({ points: formatCount(cost - points) })}</span>
                  <progress
                    value={points}
                    max={cost}
                    aria-label={m.rewards_progress({ reward: formatReward(reward) })}
                    className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-ink"
                  />
                </div>
              )}
            </li>
          );
        })}
      </ul>
    </TitledSection>
  );
}
