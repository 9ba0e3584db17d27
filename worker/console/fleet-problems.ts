import type { Db } from "../../db/client.ts";
import { countOn, countSignedOut, loadStateCounts } from "../../db/queries/fleet/figures.ts";
import type { FleetState } from "../../db/shapes/fleet.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** Alerts that repeat the figures of this moment. */
export const FLEET_ALERTS: ReadonlySet<string> = new Set([
  "platform.down",
  "platform.limits",
  "platform.signed_out",
  "objects.stale",
  "objects.failing",
]);

/** How long the watchdog, which runs every minute, has to wake an object before it counts as stale. */
export const STALE_MS = 2 * MINUTE_MS;
/** A state that passes within this time is no outage. */
const LASTING_MS = MINUTE_MS;
/** The share of the drivers at work whose trouble is the platform's. */
const BAD_SHARE = 0.5;
/** One driver may be limited for what they did themselves, and have warehouses or blocks that nobody else's answers name. */
const LEAST_DRIVERS = 3;

/** Answers come, and can't be read: of offers, or of the blocks that a driver holds. */
const UNREADABLE = ["unreadable", "blocks_unreadable"] as const satisfies readonly FleetState[];
/** The states of drivers who are, or would be, looking. */
const AT_WORK = [
  "polling",
  "throttled",
  "unreachable",
  ...UNREADABLE,
] as const satisfies readonly FleetState[];

const KINDS = [
  { kind: "platform_down", state: "unreachable", least: 1 },
  { kind: "platform_limits", state: "throttled", least: LEAST_DRIVERS },
] as const;

/** A trouble of many drivers at once: how many of those at work, and since when. */
export type FleetProblem = {
  kind: "platform_down" | "platform_limits";
  drivers: number;
  of: number;
  since: EpochMs;
};

/** So many drivers signed out within an hour, and this share of those who are on, are no accident of one driver's. */
const MANY_SIGNED_OUT = 5;
const MANY_SHARE = 0.05;
/** How long ago drivers were signed out at most to count. */
export const LATELY_MS = HOUR_MS;

/** Whether so many drivers signed out are the platform's doing. */
export function areManySignedOut(signedOut: number, on: number): boolean {
  return signedOut >= Math.max(MANY_SIGNED_OUT, on * MANY_SHARE);
}

/** How many drivers the platform signed out within the last hour, where that is many; else null. */
export async function findManySignedOut(db: Db, now: EpochMs): Promise<number | null> {
  const signedOut = await countSignedOut(db, now - LATELY_MS);
  // Few need no count of all others.
  if (!areManySignedOut(signedOut, 0)) return null;
  return areManySignedOut(signedOut, await countOn(db, now - STALE_MS)) ? signedOut : null;
}

/**
 * Finds what the drivers' states say of the platform. It counts drivers, not calls: those who get no answer make few calls, so
 * that the calls of the hour before would outweigh an outage.
 */
export async function loadFleetProblems(
  db: Db,
  now: EpochMs,
): Promise<
  {
    problems: FleetProblem[];
    /** So many drivers, and since when, where most at work can't be served since the platform's answers can't be read. */
    unreadable: Pick<FleetProblem, "drivers" | "since"> | null;
  } & Pick<Awaited<ReturnType<typeof loadStateCounts>>, "stale" | "failing">
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
  const found = states.filter(({ state }) => UNREADABLE.some((one) => one === state));
  const drivers = found.reduce((sum, { lasting }) => sum + lasting, 0);
  const isWidespread = drivers >= Math.max(LEAST_DRIVERS, of * BAD_SHARE);
  const unreadable = isWidespread ? { drivers, since: Math.min(...found.map(({ since }) => since)) } : null;
  return { problems, unreadable, stale, failing };
}
