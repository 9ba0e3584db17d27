import { CLEAN_THROTTLE, escalateThrottle } from "../../engine/cadence.ts";
import type { DriverState } from "../../engine/types.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { MachineField } from "./tables/state.ts";

/**
 * Replaces machine fields that could not be parsed. They already have their initial values, which are safe for most:
 * without a profile the driver is off until it is loaded from D1, and held blocks are fetched before the next accept.
 * This handles the fields whose initial value is not safe.
 */
export function replaceLostFields(
  state: DriverState,
  { lost, freshKeyPrefix, now }: { lost: ReadonlySet<MachineField>; freshKeyPrefix: string; now: EpochMs },
): DriverState {
  if (lost.size === 0) return state;
  const next = { ...state };
  // Linking again restores both. A driver who was never linked has no warehouses to lose.
  if (lost.has("link") || lost.has("warehouses")) next.link = { status: "signed_out" };
  // The platform may have asked us to wait, so start with the first step of the throttle.
  if (lost.has("throttle")) next.throttle = escalateThrottle(CLEAN_THROTTLE, { now, retryAt: null });
  // Attempt ids are idempotency keys, so no id may be used twice.
  if (lost.has("keyPrefix") || lost.has("attemptSeq")) {
    next.keyPrefix = freshKeyPrefix;
    next.attemptSeq = 0;
  }
  return next;
}
