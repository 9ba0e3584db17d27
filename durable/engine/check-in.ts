import { LONG_AGO } from "./attempts/held-blocks.ts";
import { updateState, updateTransient, applyFailure, type Transition } from "./state/transition.ts";
import type { Block } from "../../db/shapes/work/offer.ts";
import type { CheckInOutcome } from "./state/outcomes.ts";
import { HOUR_MS, type BlockId, type EpochMs } from "../../db/shapes/units.ts";

/** It is too early to check in to a block that starts later than this. */
const CHECK_IN_HORIZON_MS = 12 * HOUR_MS;
/** Within this time of its start, the next block takes precedence over the one in progress. */
const NEXT_BLOCK_PRIORITY_MS = HOUR_MS;

/**
 * The block that the driver should check in to: the earliest that has not ended and starts within twelve
 * hours. A block that is already checked in gives way to the next one in the hour before that starts. Null if
 * there is none.
 */
export function blockToCheckInto(held: readonly Block[], now: EpochMs): Block | null {
  const upcoming = held
    .filter(({ status }) => status !== "completed" && status !== "forfeited")
    .filter(({ startsAt, endsAt }) => endsAt > now && startsAt - now <= CHECK_IN_HORIZON_MS)
    .toSorted((one, other) => one.startsAt - other.startsAt);
  const [first, ...later] = upcoming;
  if (first?.status !== "checked_in") return first ?? null;
  const next = later.find(({ status }) => status !== "checked_in");
  return next && next.startsAt - now <= NEXT_BLOCK_PRIORITY_MS ? next : first;
}

/** Applies the outcome of a check-in to the held blocks, or to throttle, backoff and link if it failed. */
export function applyCheckInOutcome(
  transition: Transition,
  { blockId, outcome }: { blockId: BlockId; outcome: CheckInOutcome },
): void {
  switch (outcome.kind) {
    case "checked_in":
      return noteArrival(transition, blockId, {
        checkedInAt: outcome.block?.checkedInAt ?? transition.ctx.now,
      });
    case "already_checked_in":
      return noteArrival(transition, blockId, {});
    case "block_not_found":
      // The driver gave the block back by hand; the next fetch drops it.
      return updateTransient(transition, { heldFetchedAt: LONG_AGO });
    case "outside_geofence":
    case "too_early":
    case "too_late":
    case "refused":
      return;
    default:
      return applyFailure(transition, outcome);
  }
}

/** The driver has checked in to a block, which a listing that was requested before doesn't show. */
function noteArrival(transition: Transition, blockId: BlockId, fields: Partial<Block>): void {
  const { held, transient } = transition.state;
  updateState(transition, {
    held: held.map((block) =>
      block.blockId === blockId ? { ...block, ...fields, status: "checked_in" } : block,
    ),
  });
  updateTransient(transition, {
    arrivedAt: new Map([...transient.arrivedAt, [blockId, transition.ctx.now]]),
  });
}
