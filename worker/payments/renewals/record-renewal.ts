import type { DriverId } from "../../../db/shapes/units.ts";
import type { Deps } from "../../../durable/deps.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";

/**
 * Records that a renewal was turned off, or paused for money that went back, or turned on, for a database that is restored to
 * before. Never throws: a renewal can be turned off without this record.
 */
export async function recordRenewal(
  deps: Pick<Deps, "restoreRecord" | "now" | "log">,
  driverId: DriverId,
  isOn: boolean,
): Promise<void> {
  try {
    await deps.restoreRecord()?.recordRenewal(driverId, { isOn, at: deps.now() });
  } catch (error) {
    deps.log("error", "restore.record.failed", { driverId, ...describeError(error) });
  }
}
