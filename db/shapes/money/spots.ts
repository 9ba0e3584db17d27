import * as z from "zod/mini";
import { DAY_MS, HOUR_MS, type EpochMs } from "../units.ts";

/**
 * Where a driver stands in their city. `held`: has a spot. `waiting`: in line. `offered`: a spot is kept for them until
 * they take it or its time is over. `left`: neither has a spot nor waits, and can ask for one.
 */
export const spotStatus = z.enum(["held", "waiting", "offered", "left"]);

/** How long a spot is kept for the driver whose turn it is. */
export const SPOT_OFFER_MS = 48 * HOUR_MS;

/** How long a spot stays with a driver who has no service. */
export const SPOT_LAPSE_MS = 7 * DAY_MS;

/** How often the spots check whether a driver still has service: a refund may end it earlier than was known. */
const SPOT_CHECK_MS = DAY_MS;

/** The city of drivers whose region the platform does not name. */
export const OTHER_CITY = "other";

/** The city in which a driver takes a spot, by the platform's name of their region. */
export function cityOf(region: string | null): string {
  return region?.trim() || OTHER_CITY;
}

/** When a spot goes to somebody else: seven days after service ended, or after it was taken if there was none since. */
export function spotLapsesAt({
  since,
  serviceUntil,
}: {
  since: EpochMs;
  serviceUntil: EpochMs | null;
}): EpochMs {
  return Math.max(since, serviceUntil ?? 0) + SPOT_LAPSE_MS;
}

/** When to look at a spot again; null if it has lapsed. */
export function nextSpotCheckAt(
  spot: { since: EpochMs; serviceUntil: EpochMs | null },
  now: EpochMs,
): EpochMs | null {
  const lapsesAt = spotLapsesAt(spot);
  return lapsesAt <= now ? null : Math.min(lapsesAt, now + SPOT_CHECK_MS);
}
