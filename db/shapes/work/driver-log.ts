import * as z from "zod/mini";
import { attempt } from "./attempt.ts";
import { offer, type Block } from "./offer.ts";
import { phase } from "./phase.ts";
import { blockId, epochMs, type BlockId, type EpochMs } from "../units.ts";
import { reason } from "./verdict.ts";

/** One event of the driver's log, before the object assigns its `seq`. `other`: of a later release, and shown nowhere. */
export const logEvent = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("phase_changed"), at: epochMs, phase }),
  z.object({
    kind: z.literal("offer_judged"),
    at: epochMs,
    offer,
    reasons: z.array(reason),
    filtersVersion: z.int(),
  }),
  z.object({ kind: z.literal("attempt_started"), at: epochMs, attempt }),
  z.object({ kind: z.literal("attempt_settled"), at: epochMs, attempt }),
  z.object({ kind: z.literal("silence_suspected"), at: epochMs, lastNewAt: epochMs }),
  /** The paid time ends soon: logged a day and an hour before it does. */
  z.object({ kind: z.literal("service_ending"), at: epochMs, endsAt: epochMs }),
  z.object({ kind: z.literal("other"), at: epochMs }),
]);

export type LogEvent = z.infer<typeof logEvent>;

export const seq = z.int().check(z.nonnegative());

/** One event of the driver's log and its position in it. */
export const logEntry = z.object({ seq, event: logEvent });
export type LogEntry = z.infer<typeof logEntry>;

/** `won`: captured. `disliked`: rejected by the driver's filters. `lost`: attempted, but not captured. */
export const blockList = z.enum(["won", "disliked", "lost"]);
export type BlockList = z.infer<typeof blockList>;

/** A captured block as lists show it, newest first. `at` is when the platform gave it to the driver. */
export type WonBlock = { seq: number; at: EpochMs; block: Block };

/**
 * A place in the list of captured blocks. The log and its copy in D1 order them alike, so that a list can go on from one
 * in the other.
 */
export type WonPosition = { at: EpochMs; blockId: BlockId };

/** Before every captured block. */
export const NEWEST_WON: WonPosition = { at: Number.MAX_SAFE_INTEGER, blockId: z.parse(blockId, "_") };

/** Orders captured blocks: newest first; of those captured in the same instant, the greater id first. */
export function compareWon(one: WonPosition, other: WonPosition): number {
  if (one.at !== other.at) return other.at - one.at;
  if (one.blockId === other.blockId) return 0;
  return one.blockId < other.blockId ? 1 : -1;
}
