import { useSuspenseQuery } from "@tanstack/react-query";
import type { Reward, PointEntry } from "../../../db/shapes/money/rewards.ts";
import { rewardsQuery } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { countInputs, formatCount, formatSignedCount } from "../language/format.ts";
import { formatInstant } from "../language/format-instant.ts";
import { OwnServiceTime } from "../payments/own-service-time.tsx";
import { useUser } from "../session/use-user.ts";
import { nextReward, formatReward, formatPointEntry } from "./reward-labels.ts";
import { RedeemSheet } from "./redeem-sheet.tsx";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { useNow } from "../../ui/use-now.ts";
import { useOpened } from "../../ui/use-opened.ts";
import { TitledSection } from "../../ui/titled-section.tsx";
import { CalendarPlus, UserPlus } from "lucide-react";
import type { RewardsResponse } from "../../../worker/contract/money/rewards.ts";
import { Button } from "../../ui/button.tsx";

/** The driver's points, what they buy, and where they come from. */
export function RewardsScreen() {
  const query = useSuspenseQuery(rewardsQuery);
  const rewards = query.data;
  const { expirationDateTimestamp } = useUser();
  const { opened, open, close } = useOpened<{ reward: Reward }>();
  const chosen = opened?.reward ?? null;
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
        <OwnServiceTime until={expirationDateTimestamp || null} />
      </section>
      <RewardList rewards={rewards} onRedeem={(reward) => open({ reward })} />
      <PointsLedger entries={rewards.entries} />
      <RedeemSheet reward={chosen} points={rewards.points} cost={cost} onClose={close} />
    </Screen>
  );
}

/** How the points were earned and what they were spent on, newest first. */
function PointsLedger({ entries }: { entries: readonly PointEntry[] }) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  return (
    <TitledSection id="points-ledger" title={m.points_history()}>
      <div className="card overflow-hidden">
        {entries.length === 0 ? (
          <p className="p-4 text-soft">{m.points_history_empty()}</p>
        ) : (
          <ul data-testid="points-ledger">
            {entries.map((entry, index) => (
              <li
                // The ledger is only ever longer at its top, and has no ids.
                key={entries.length - index}
                className="figures grid min-h-14 grid-cols-[1fr_auto] items-center gap-x-3 border-b border-line px-4 py-2 last:border-b-0"
              >
                <span>
                  <span className="block font-semibold">{formatPointEntry(entry)}</span>
                  <span className="block text-sm text-soft">
                    {formatInstant(entry.at, { timeZone, now })}
                  </span>
                </span>
                <span className={`text-right font-semibold ${entry.points > 0 ? "text-good" : ""}`}>
                  {formatSignedCount(entry.points)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </TitledSection>
  );
}

/** The rewards for points: each with its cost, and a button or how far it is. */
function RewardList({
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
