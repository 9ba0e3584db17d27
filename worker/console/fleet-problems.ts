import type { Db } from "../../db/client.ts";
import { loadStateCounts } from "../../db/queries/fleet/figures.ts";
import type { FleetState } from "../../db/shapes/fleet.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** Alerts that repeat the figures of this moment. */
export const FLEET_ALERTS: ReadonlySet<string> = new Set([
  "platform.down",
  "platform.limits",
  "objects.stale",
  "objects.failing",
]);

/** How long the watchdog, which runs every minute, has to wake an object before it counts as stale. */
export const STALE_MS = 2 * MINUTE_MS;
/** A state that passes within this time is no outage. */
const LASTING_MS = MINUTE_MS;
/** The share of the drivers at work whose trouble is the platform's. */
const BAD_SHARE = 0.5;
/** One driver may be limited for what they did themselves. */
const LEAST_LIMITED = 3;

/** The states of drivers who are, or would be, looking. */
const AT_WORK = ["polling", "throttled", "unreachable"] as const satisfies readonly FleetState[];

const KINDS = [
  { kind: "platform_down", state: "unreachable", least: 1 },
  { kind: "platform_limits", state: "throttled", least: LEAST_LIMITED },
] as const;

/** A trouble of many drivers at once: how many of those at work, and since when. */
export type FleetProblem = {
  kind: "platform_down" | "platform_limits";
  drivers: number;
  of: number;
  since: EpochMs;
};

/**
 * Finds what the drivers' states say of the platform. It counts drivers, not calls: those who get no answer make few calls, so
 * that the calls of the hour before would outweigh an outage.
 */
export async function loadFleetProblems(
  db: Db,
  now: EpochMs,
): Promise<
  { problems: FleetProblem[] } & Pick<Awaited<ReturnType<typeof loadStateCounts>>, "stale" | "failing">
> {
  const { states, stale, failing } = await loadStateCounts(db, {
    states: AT_WORK,
    before: now - LASTING_MS,
    staleAt: now - STALE_MS,
  });
  const of = states.reduce((sum, { drivers }) => sum + drivers, 0);
  const problems = KINDS.flatMap(({ kind, state, least }): FleetProblem[] => {
    const found = states.find((counted) => counted.state === state);
    if (!found || found.lasting < Math.max(least, of * BAD_SHARE)) return [];
    return [{ kind, drivers: found.lasting, of, since: found.since }];
  });
  return { problems, stale, failing };
}
