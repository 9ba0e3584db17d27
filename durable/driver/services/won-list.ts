import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { DriverState } from "../../engine/state/types.ts";

/** Replaces the blocks in log entries with their present state on the platform, for example checked in or given back. */
export function withCurrentStatus(rows: readonly LogEntry[], held: DriverState["held"]): LogEntry[] {
  return rows.map(({ seq, event }) => {
    if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") return { seq, event };
    const block = currentBlock(event.attempt.outcome.block, held);
    return { seq, event: { ...event, attempt: { ...event.attempt, outcome: { status: "won", block } } } };
  });
}

function currentBlock(block: Block, held: DriverState["held"]): Block {
  return held.find(({ blockId }) => blockId === block.blockId) ?? block;
}
