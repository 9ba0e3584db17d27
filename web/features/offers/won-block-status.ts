import type { Block } from "../../../db/shapes/work/offer.ts";
import type { DurationMs, EpochMs } from "../../../db/shapes/units.ts";

/** The current status of a captured block. */
export type WonBlockStatus =
  | { kind: "given_back" }
  | { kind: "done" }
  | { kind: "checked_in"; at: EpochMs | null }
  /** The platform reports a status that we don't know. */
  | { kind: "other" }
  | { kind: "under_way" }
  /** `giveBackMs` is the time left to give it back; null once it is too late. */
  | { kind: "ahead"; giveBackMs: DurationMs | null; giveBackUntil: EpochMs };

type BlockFacts = Pick<Block, "status" | "startsAt" | "endsAt" | "checkedInAt">;

/**
 * Derives the status from what the platform last reported and the block's times.
 * @param giveBackMs how long before its start the platform last takes a block back without a mark
 */
export function wonBlockStatus(
  { status, startsAt, endsAt, checkedInAt }: BlockFacts,
  { now, giveBackMs }: { now: EpochMs; giveBackMs: DurationMs },
): WonBlockStatus {
  if (status === "forfeited") return { kind: "given_back" };
  if (status === "completed" || now >= endsAt) return { kind: "done" };
  if (status === "checked_in") return { kind: "checked_in", at: checkedInAt };
  if (status === "other") return { kind: "other" };
  if (now >= startsAt) return { kind: "under_way" };
  const giveBackUntil = startsAt - giveBackMs;
  return { kind: "ahead", giveBackUntil, giveBackMs: now > giveBackUntil ? null : giveBackUntil - now };
}
