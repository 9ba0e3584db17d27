import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

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
