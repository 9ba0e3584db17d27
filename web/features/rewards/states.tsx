import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

/** While the points load. */
export function RewardsPending() {
  return (
    <Screen width="reading" title={m.nav_rewards()}>
      <Pending>
        <output className="grid gap-4">
          <span className="sr-only">{m.loading()}</span>
          <Skeleton className="h-32 rounded-card" />
          <Skeleton className="h-88 rounded-card" />
          <Skeleton className="h-48 rounded-card" />
        </output>
      </Pending>
    </Screen>
  );
}

/** In place of the points and what they buy. */
export function RewardsError(caught: CaughtError) {
  return (
    <Screen width="reading" title={m.nav_rewards()}>
      <div className="card">
        <LoadError {...caught} title={m.rewards_failed()} />
      </div>
    </Screen>
  );
}
