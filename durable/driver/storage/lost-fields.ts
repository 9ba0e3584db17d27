import { CLEAN_THROTTLE, escalateThrottle } from "../../engine/cadence.ts";
import type { DriverState } from "../../engine/types.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { MachineField } from "./tables/state.ts";

/**
 * What the machine goes on with where fields could not be read. They stand at their beginning already, and
 * for most that is safe: without a profile the driver is off until D1's copy comes, without held blocks
 * they are read before the next poll. Here stand those for which it is not.
 */
export function replaceLostFields(
  state: DriverState,
  { lost, freshKeyPrefix, now }: { lost: ReadonlySet<MachineField>; freshKeyPrefix: string; now: EpochMs },
): DriverState {
  if (lost.size === 0) return state;
  const next = { ...state };
  // Linking again brings both; a driver who was never linked has no warehouses that could be lost.
  if (lost.has("link") || lost.has("warehouses")) next.link = { status: "signed_out" };
  // The platform may have asked for a wait: the first step of the ladder, rather than none.
  if (lost.has("throttle")) next.throttle = escalateThrottle(CLEAN_THROTTLE, { now, retryAt: null });
  // An attempt's id is its idempotency key: a number that was used before must not be used again.
  if (lost.has("keyPrefix") || lost.has("attemptSeq")) {
    next.keyPrefix = freshKeyPrefix;
    next.attemptSeq = 0;
  }
  return next;
}
