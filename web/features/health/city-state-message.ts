import type { CityHealthNow } from "../../../worker/contract/platform-health.ts";
import { m } from "../../messages/messages.js";
import { formatUntil } from "../language/format.ts";

/** How the platform treats the drivers of a city now. Trouble that is ours says so; where nothing is known, nobody is blamed. */
export function cityStateMessage(
  { state, since, isOurs, timeZone }: Pick<CityHealthNow, "state" | "since" | "isOurs" | "timeZone">,
  now: number,
): string {
  const slots = { since: formatUntil(since, { timeZone, now }) };
  switch (state) {
    case "working":
      return m.health_working();
    case "unknown":
      return m.health_unknown_now();
    case "slow":
      return isOurs ? m.health_ours_since(slots) : m.health_slow_since(slots);
    case "down":
      return isOurs ? m.health_ours_since(slots) : m.health_down_since(slots);
  }
}
