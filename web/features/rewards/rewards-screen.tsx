import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Reward } from "../../../db/shapes/money/rewards.ts";
import { rewardsQuery } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { countInputs, formatCount } from "../language/format.ts";
import { ServiceUntil } from "../payments/service-time.tsx";
import { useUser } from "../session/use-user.ts";
import { nextReward } from "./next-reward.ts";
import { PointsLedger } from "./points-ledger.tsx";
import { RedeemSheet } from "./redeem-sheet.tsx";
import { RewardList } from "./reward-list.tsx";
import { formatReward } from "./reward-labels.ts";

/** The driver's points, what they buy, and where they come from. */
export function RewardsScreen() {
  const query = useSuspenseQuery(rewardsQuery);
  const rewards = query.data;
  const { expirationDateTimestamp, humanTimezone: timeZone } = useUser();
  const [chosen, setChosen] = useState<Reward | null>(null);
  const next = nextReward(rewards);
  const cost = rewards.rewards.find(({ reward }) => reward === chosen)?.points ?? 0;
  return (
    <Screen width="reading" title={m.nav_rewards()} text={m.rewards_text()}>
      <StaleNotice query={query} />
      <section className="card grid gap-1 p-5">
        <h2 className="text-sm font-semibold text-soft">{m.rewards_balance()}</h2>
        <p data-testid="points-balance" className="figures font-display text-3xl leading-tight font-bold">
          {m.points_count(countInputs(rewards.points))}
        </p>
        {next && (
          <p className="figures">
            {m.rewards_next({ points: formatCount(next.missing), reward: formatReward(next.reward) })}
          </p>
        )}
        <ServiceUntil until={expirationDateTimestamp || null} timeZone={timeZone} />
      </section>
      <RewardList rewards={rewards} onRedeem={setChosen} />
      <PointsLedger entries={rewards.entries} />
      <RedeemSheet reward={chosen} points={rewards.points} cost={cost} onClose={() => setChosen(null)} />
    </Screen>
  );
}
