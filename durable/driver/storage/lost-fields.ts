import { CLEAN_THROTTLE, escalateThrottle } from "../../engine/cadence.ts";
import type { DriverState } from "../../engine/types.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { MachineField } from "./tables/state.ts";

/**
 * Replaces unreadable fields where their initial value isn't safe. For the others it is: without a profile the
 * driver is off until D1's copy arrives, and missing held blocks are fetched before the next poll.
 */
export function replaceLostFields(
  state: DriverState,
  { lost, freshKeyPrefix, now }: { lost: ReadonlySet<MachineField>; freshKeyPrefix: string; now: EpochMs },
): DriverState {
  if (lost.size === 0) return state;
  const next = { ...state };
  // Linking again restores both. A driver who never linked has no stored warehouses.
  if (lost.has("link") || lost.has("warehouses")) next.link = { status: "signed_out" };
  // The platform may have asked us to wait: start with the shortest wait rather than none.
  if (lost.has("throttle")) next.throttle = escalateThrottle(CLEAN_THROTTLE, { now, retryAt: null });
  // Attempt ids are idempotency keys, so none may be used twice.
  if (lost.has("keyPrefix") || lost.has("attemptSeq")) {
    next.keyPrefix = freshKeyPrefix;
    next.attemptSeq = 0;
  }
  return next;
}
