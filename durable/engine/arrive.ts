import { change, remember, takeFailure, type Turn } from "./turn.ts";
import type { Block, CheckInOutcome } from "./types.ts";
import { HOUR_MS, type BlockId, type EpochMs } from "./units.ts";

/** A block that starts later than this is nothing to arrive at yet. */
const NEAR_MS = 12 * HOUR_MS;
/** So close, the next block comes before one that is under way. */
const NEXT_COMES_FIRST_MS = HOUR_MS;

/**
 * The block that a driver arrives at now: the earliest that has not ended and starts within twelve
 * hours. One that is checked in gives way to the next in the hour before that starts. Null where
 * none is near.
 */
export function blockToArriveAt(held: readonly Block[], now: EpochMs): Block | null {
  const near = held
    .filter(({ status }) => status === "scheduled" || status === "checked_in")
    .filter(({ startsAt, endsAt }) => endsAt > now && startsAt - now <= NEAR_MS)
    .toSorted((one, other) => one.startsAt - other.startsAt);
  const [first, ...later] = near;
  if (first?.status !== "checked_in") return first ?? null;
  const next = later.find(({ status }) => status === "scheduled");
  return next && next.startsAt - now <= NEXT_COMES_FIRST_MS ? next : first;
}

/** What the answer to a check-in says of the blocks held, and of the platform. */
export function takeCheckIn(
  turn: Turn,
  { blockId, outcome }: { blockId: BlockId; outcome: CheckInOutcome },
): void {
  switch (outcome.kind) {
    case "checked_in":
      return replace(turn, blockId, () => outcome.block);
    case "already_checked_in":
      return replace(turn, blockId, (block) => ({ ...block, status: "checked_in" }));
    case "block_not_found":
      // Given back by hand: the next reading drops it.
      return remember(turn, { heldReadAt: null });
    case "outside_geofence":
    case "too_early":
    case "too_late":
    case "refused":
      return;
    default:
      return takeFailure(turn, outcome);
  }
}

function replace(turn: Turn, blockId: BlockId, renew: (block: Block) => Block): void {
  const held = turn.state.held.map((block) => (block.blockId === blockId ? renew(block) : block));
  change(turn, { held });
}
