import { DAY_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { increaseBackoff, NO_BACKOFF } from "../state/cadence.ts";
import { recordGivenBack } from "../verdicts/given-back.ts";
import { areCountedRead, countedFrom } from "../verdicts/counted-blocks.ts";
import { blocksReadableAt, canCall } from "../state/callable.ts";
import { noteBlocksRead } from "../contact.ts";
import { updateState, updateTransient, type Transition } from "../state/transition.ts";
import { isNamedByOffer, type BlockListing } from "../complete-blocks.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { DriverState } from "../state/types.ts";
import { isInFlight, noteAnswered, noteSent } from "./in-flight.ts";

/** How old held blocks may be before they are read in the idle time after a poll. The contract's quota is of polls only. */
const HELD_DUE_MS = 20_000;
/** Held blocks of this age are read although a poll is due as well, as after a pause. */
const HELD_STALE_MS = 30_000;
/** How old held blocks may be when an offer is accepted, as long as they can be read. */
const HELD_FRESH_MS = MINUTE_MS;
/** How long a listing of held blocks may miss a block that was just won, because it was requested before the accept. */
const FETCH_RACE_MS = MINUTE_MS;
/** Offers start a few days ahead at most. The platform lists at most 62 days at once. */
const HELD_LOOKAHEAD_MS = 30 * DAY_MS;
const HELD_LOOKBACK_MS = DAY_MS;
const MAX_HELD_LOOKBACK_MS = 30 * DAY_MS;

/** Whether the held blocks should be read as soon as nothing else is to be done. */
export function isHeldDue({ transient: { heldFetchedAt } }: DriverState, now: EpochMs): boolean {
  return heldFetchedAt === null || now - heldFetchedAt >= HELD_DUE_MS;
}

/** Whether the held blocks should be read again now. */
export function isHeldStale({ transient: { heldFetchedAt } }: DriverState, now: EpochMs): boolean {
  return heldFetchedAt === null || now - heldFetchedAt >= HELD_STALE_MS;
}

/**
 * Whether the held blocks are known, so that a verdict can tell if an offer overlaps one. Until they have been read, any offer
 * might: no accept is sent, but polls continue. While the platform doesn't list them, those that were read last count, however
 * old they are: they can only lack blocks accepted by hand since then, and the platform refuses offers that overlap one of
 * those. If the driver has limits, all blocks that count toward them must have been read once.
 */
export function isHeldKnown(state: DriverState, now: EpochMs): boolean {
  const { heldFetchedAt, heldBackoff } = state.transient;
  if (heldFetchedAt === null || !areCountedRead(state, now)) return false;
  return heldBackoff.failures > 0 || now - heldFetchedAt < HELD_FRESH_MS;
}

/** Requests the driver's blocks, if that is allowed now. */
export function requestBlocks(transition: Transition): void {
  const { now } = transition.ctx;
  const { state } = transition;
  if (!canCall(state, now) || isInFlight(state, "read_blocks", now) || blocksReadableAt(state) > now) return;
  noteSent(transition, "read_blocks");
  const { openAttempts, doubtedAttempts } = state;
  const starts = [...openAttempts.values(), ...doubtedAttempts.values()].map(({ offer }) => offer.startsAt);
  const counted = countedFrom(state.profile?.filters.limits, now);
  const earliest = Math.min(now - HELD_LOOKBACK_MS, counted ?? now, ...starts);
  const from = Math.max(now - MAX_HELD_LOOKBACK_MS, earliest);
  updateTransient(transition, { heldAskedFrom: from });
  transition.calls.push({ kind: "read_blocks", from, to: now + HELD_LOOKAHEAD_MS });
}

/** Notes that a read has ended, and whether it failed. */
export function endBlocksRead(transition: Transition, { failed }: { failed: boolean }): void {
  noteAnswered(transition, "read_blocks");
  const { heldBackoff } = transition.state.transient;
  updateTransient(transition, {
    heldBackoff: failed ? increaseBackoff(heldBackoff, transition.ctx.now) : NO_BACKOFF,
  });
}

/**
 * Replaces the held blocks with those just fetched, by a call that was sent at `sentAt`. A block that was won a moment
 * ago stays even if it is missing, since the fetch may have raced the accept, and so does a check-in since then. Learns
 * which blocks the driver gave back.
 */
export function replaceHeldBlocks(
  transition: Transition,
  { blocks, unreadable }: BlockListing,
  sentAt: EpochMs,
): void {
  const { held, transient } = transition.state;
  const { now } = transition.ctx;
  const fetchedIds = new Set(blocks.map(({ blockId }) => blockId));
  const fetchedOffers = new Set(blocks.map(({ offerId }) => offerId));
  const missing = held.filter(
    (block) => !fetchedIds.has(block.blockId) && !(isNamedByOffer(block) && fetchedOffers.has(block.offerId)),
  );
  const wonAt = new Map([...transient.wonAt].filter(([, at]) => now - at < FETCH_RACE_MS));
  const justWon = missing.filter(({ blockId, acceptedAt }) => {
    return wonAt.has(blockId) || (!transient.wonAt.has(blockId) && now - acceptedAt < FETCH_RACE_MS);
  });
  const arrivedAt = new Map([...transient.arrivedAt].filter(([, at]) => at >= sentAt));
  const arrived = held.filter(({ blockId }) => arrivedAt.has(blockId));
  const next = [...blocks.map((block) => asArrived(block, arrived)), ...justWon];
  const isChanged = JSON.stringify(next) !== JSON.stringify(held);
  if (isChanged) updateState(transition, { held: next });
  noteBlocksRead(transition, sentAt, { isChanged });
  updateTransient(transition, {
    heldFetchedAt: sentAt,
    heldReadFrom: transient.heldAskedFrom,
    unreadableHeld: unreadable,
    wonAt,
    arrivedAt,
    overlapRefusals: transient.overlapRefusals.filter(({ at }) => at > sentAt),
  });
  // A list that could not be read to the end doesn't tell what is missing from it.
  const vanished = unreadable.length > 0 ? [] : missing.filter((block) => !justWon.includes(block));
  recordGivenBack(transition, { listed: blocks, vanished });
}

/** A listed block as the driver's check-in left it, which the listing doesn't show yet. */
function asArrived(block: Block, arrived: readonly Block[]): Block {
  const known = arrived.find(({ blockId }) => blockId === block.blockId);
  if (!known || block.status !== "scheduled") return block;
  return { ...block, status: known.status, checkedInAt: known.checkedInAt };
}

/** When held blocks were read that are known from before, and must be read again. */
export const LONG_AGO: EpochMs = 0;
