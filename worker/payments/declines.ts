import type { Db } from "../../db/client.ts";
import { loadDeclines } from "../../db/queries/payments/limits.ts";
import { HOUR_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";

/** After so many declines within an hour a driver waits: whoever tries cards out needs many. */
export const MAX_DECLINES = 5;

/** When a driver with many declines may try the next card; null where it can be tried now. */
export async function loadPause(db: Db, driverId: DriverId, now: EpochMs): Promise<EpochMs | null> {
  const declines = await loadDeclines(db, driverId, { since: now - HOUR_MS, limit: MAX_DECLINES });
  const oldest = declines[MAX_DECLINES - 1];
  return oldest === undefined ? null : oldest + HOUR_MS;
}
