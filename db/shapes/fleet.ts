import type { CityCounts } from "./city-counts.ts";
import type { DriverId, EpochMs } from "./units.ts";
import * as z from "zod/mini";

/**
 * The activity of a driver's object as operators count it: the dashboard's phases, with a driver who must link counted as
 * `signed_out` by the platform or `not_linked` yet.
 */
export const fleetState = z.enum([
  "off",
  "asleep",
  "polling",
  "throttled",
  "quota_used_up",
  "weekly_limit",
  "unreachable",
  "unreadable",
  "blocks_unreadable",
  "verification_required",
  "signed_out",
  "not_linked",
  "no_service",
]);
export type FleetState = z.infer<typeof fleetState>;

/** Upper edges of the histogram of how late polls leave. Anything later than the last counts as `lateMore`. */
export const LATENESS_EDGES_MS = [50, 100, 250, 500, 1_000, 2_500, 10_000] as const;
export const LATENESS_BINS = [
  "late50",
  "late100",
  "late250",
  "late500",
  "late1000",
  "late2500",
  "late10000",
  "lateMore",
] as const;
export type LatenessBin = (typeof LATENESS_BINS)[number];

/**
 * Why a call got no answer of its own, as far as it can be told: the name was not found, no trusted connection could be made,
 * nobody listened there, the connection broke, or nothing came in time.
 */
export type FailureCause = "dns" | "tls" | "refused" | "reset" | "timed_out" | "other";

/**
 * How the platform answered. `answered`: 2xx, and the refusals of an offer that have a word of their own. `failed`: 5xx, and
 * what got no answer for a reason that is not known.
 */
export const ANSWER_KINDS = [
  "answered",
  "unauthorized",
  "forbidden",
  "limited",
  "failed",
  "nameNotFound",
  "untrusted",
  "notListening",
  "disconnected",
  "timedOut",
  "unreadable",
  "refused",
] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/** The counter of a failed call, by its cause. */
export const ANSWER_OF_CAUSE: Record<FailureCause, AnswerKind> = {
  dns: "nameNotFound",
  tls: "untrusted",
  refused: "notListening",
  reset: "disconnected",
  timed_out: "timedOut",
  other: "failed",
};

/** The events that are counted by the hour. `losses`: offers that were tried and not won. */
export const TALLY_FIELDS = ["captures", "losses", ...ANSWER_KINDS, ...LATENESS_BINS] as const;
export type TallyField = (typeof TALLY_FIELDS)[number];
export type Tally = Record<TallyField, number>;

/** A tally of nothing. */
export function emptyTally(): Tally {
  return {
    captures: 0,
    losses: 0,
    answered: 0,
    unauthorized: 0,
    forbidden: 0,
    limited: 0,
    failed: 0,
    nameNotFound: 0,
    untrusted: 0,
    notListening: 0,
    disconnected: 0,
    timedOut: 0,
    unreadable: 0,
    refused: 0,
    late50: 0,
    late100: 0,
    late250: 0,
    late500: 0,
    late1000: 0,
    late2500: 0,
    late10000: 0,
    lateMore: 0,
  };
}

/** Adds one tally to another, in place. */
export function addTally(sum: Tally, tally: Tally): void {
  for (const field of TALLY_FIELDS) sum[field] += tally[field];
}

/** The bin of a poll that left so many milliseconds after it was due. */
export function latenessBin(lateMs: number): LatenessBin {
  const bin = LATENESS_EDGES_MS.findIndex((edge) => lateMs <= edge);
  return LATENESS_BINS[bin] ?? "lateMore";
}

/**
 * The upper edge of the bin in which a share of all polls has left.
 * @returns null if that is later than the last edge, undefined if no poll was counted
 */
export function latenessAt(share: number, counts: Record<LatenessBin, number>): number | null | undefined {
  const total = LATENESS_BINS.reduce((sum, bin) => sum + counts[bin], 0);
  if (total === 0) return undefined;
  let reached = 0;
  const bin = LATENESS_BINS.findIndex((name) => {
    reached += counts[name];
    return reached >= share * total;
  });
  return LATENESS_EDGES_MS[bin] ?? null;
}

const SHARDS = 16;

/** Which of an hour's rows a driver counts into, so that no row is written by everybody. */
export function shardOf(driverId: string): number {
  let hash = 0;
  for (const char of driverId) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 65_521;
  return hash % SHARDS;
}

/** The counts of a driver's object by hour, and its present state; null if it reported within the hour. */
export type FleetReport = {
  driverId: DriverId;
  /** `city`: the counts that are summed up by the driver's city. */
  tallies: readonly { hour: number; tally: Tally; city: CityCounts }[];
  state: { state: FleetState; since: EpochMs; at: EpochMs } | null;
};
