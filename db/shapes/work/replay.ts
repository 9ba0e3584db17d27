import * as z from "zod/mini";
import { offer } from "./offer.ts";
import { cents, epochMs, warehouseId } from "../units.ts";
import { judgedRule, reason, reasonCode } from "./verdict.ts";

/** How far back a replay goes, in days. */
export const REPLAY_DAYS = [1, 7, 28] as const;
export const replayDays = z.union([z.literal(1), z.literal(7), z.literal(28)]);
export type ReplayDays = z.infer<typeof replayDays>;

/** The sums of what a replay takes. */
export const replayFigures = z.object({
  blocks: z.int(),
  payCents: cents,
  minutes: z.int(),
  /** The pay, each block that was not captured by how often Jornada's accepts won at its warehouse. */
  likelyCents: cents,
});
export type ReplayFigures = z.infer<typeof replayFigures>;

/**
 * An offer that one of two replays takes, with the other one's reasons against it; none where it was tried and missed. `rule`:
 * which of several rules of the other one the reasons are by.
 */
export const replayChange = z.object({
  at: epochMs,
  offer,
  reasons: z.array(reason),
  rule: z.optional(judgedRule),
});
export type ReplayChange = z.infer<typeof replayChange>;

/** How often an accept of Jornada's won at a warehouse. */
export const acceptOdds = z.object({ warehouseId, tried: z.int(), won: z.int() });
export type AcceptOdds = z.infer<typeof acceptOdds>;

/**
 * The rule, schedule or limit that alone turned down the most pay at one warehouse. `rule`: which of its rules, where
 * it has several; not given for what all of them share, as the schedule and limits are.
 */
export const costliestRule = z.object({
  warehouseId,
  code: reasonCode,
  rule: z.optional(judgedRule),
  offers: z.int(),
  payCents: cents,
});
export type CostliestRule = z.infer<typeof costliestRule>;

/** The effect that edited filters would have had on the log, beside that of the saved ones. */
export const replayReport = z.object({
  /** The offers of the time, each once. */
  offers: z.int(),
  saved: replayFigures,
  edited: replayFigures,
  /** Taken by the edited ones alone, and by the saved ones alone; newest first, at most `MAX_REPLAY_CHANGES` each. */
  gained: z.array(replayChange),
  dropped: z.array(replayChange),
  costliest: z.nullable(costliestRule),
  /** `nothing`: no offer fits the edited filters; `nearly_everything`: almost all of them do. */
  warning: z.nullable(z.enum(["nothing", "nearly_everything"])),
});
export type ReplayReport = z.infer<typeof replayReport>;

export const MAX_REPLAY_CHANGES = 40;
