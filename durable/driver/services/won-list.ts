import {
  compareWon,
  type LogEntry,
  type WonBlock,
  type WonPosition,
} from "../../../db/shapes/work/driver-log.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { DriverState } from "../../engine/types.ts";
import type { EventTable } from "../storage/tables/events.ts";

/** Replaces the blocks in log entries with their present state on the platform, for example checked in or given back. */
export function withCurrentStatus(rows: readonly LogEntry[], held: DriverState["held"]): LogEntry[] {
  return rows.map(({ seq, event }) => {
    if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") return { seq, event };
    const block = currentBlock(event.attempt.outcome.block, held);
    return { seq, event: { ...event, attempt: { ...event.attempt, outcome: { status: "won", block } } } };
  });
}

/**
 * One page of the captured blocks in the log; one that was captured again after it was given back stands where it was
 * captured last. At most some hundred, so that all of them can be sorted for each page.
 */
export function listLoggedWonBlocks(
  events: Pick<EventTable, "list">,
  held: DriverState["held"],
  { after, limit }: { after: WonPosition; limit: number },
): WonBlock[] {
  const captures = events
    .list("won", { cursor: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER })
    .flatMap(({ seq, event }) => {
      if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") return [];
      const { block } = event.attempt.outcome;
      return { seq, at: block.acceptedAt, blockId: block.blockId, block: currentBlock(block, held) };
    });
  // Newest first, so reversed the newest of a block is the last that is put in.
  const byBlock = new Map(captures.toReversed().map((won) => [won.blockId, won]));
  return [...byBlock.values()]
    .filter((won) => compareWon(after, won) < 0)
    .toSorted(compareWon)
    .slice(0, limit)
    .map(({ seq, at, block }) => ({ seq, at, block }));
}

function currentBlock(block: Block, held: DriverState["held"]): Block {
  return held.find(({ blockId }) => blockId === block.blockId) ?? block;
}
