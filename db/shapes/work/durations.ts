import * as z from "zod/mini";
import { MINUTE_MS, type DurationMs } from "../units.ts";

/** The ten block lengths that a driver can choose among, in minutes, shortest first. */
export const DURATION_MINUTES = [60, 90, 120, 150, 180, 210, 240, 270, 300, 360] as const;

const flag = z.boolean();

/** The lengths that a driver wants: one flag for each of `DURATION_MINUTES`, in the same order. */
export const durations = z.tuple([flag, flag, flag, flag, flag, flag, flag, flag, flag, flag]);
export type Durations = z.infer<typeof durations>;

export const ALL_DURATIONS: Durations = [true, true, true, true, true, true, true, true, true, true];

/** The chosen lengths in minutes, shortest first. */
export function durationsToMinutes(chosen: Durations): number[] {
  return DURATION_MINUTES.filter((_minutes, position) => chosen[position]);
}

/** The flags of lengths given in minutes; values that are not one of the ten lengths are ignored. */
export function minutesToDurations(minutes: readonly number[]): Durations {
  return z.parse(
    durations,
    DURATION_MINUTES.map((length) => minutes.includes(length)),
  );
}

/** Encodes the flags for the database: ten characters, `1` for each chosen length. */
export function encodeDurations(chosen: Durations): string {
  return chosen.map((isChosen) => (isChosen ? "1" : "0")).join("");
}

/** Decodes the ten characters; null if there are more or fewer. */
export function decodeDurations(letters: string): Durations | null {
  const flags = [...letters].map((letter) => letter === "1");
  return z.safeParse(durations, flags).data ?? null;
}

/** Half of the least gap between two lengths: every midpoint between neighbors is a multiple of it. */
const STEP_MINUTES = 15;
/** The nearest length of each step: looked up for each of millions of offers. */
const NEAREST_BY_STEP = Array.from({ length: DURATION_MINUTES[9] / STEP_MINUTES }, (_, step) =>
  DURATION_MINUTES.findLast(
    (length, place) => 2 * step * STEP_MINUTES >= length + (DURATION_MINUTES[place - 1] ?? -length),
  ),
);

/** The nearest of `DURATION_MINUTES`; a tie goes to the longer one. */
export function nearestDuration(lengthMs: DurationMs): number {
  const step = Math.max(0, Math.floor(lengthMs / (STEP_MINUTES * MINUTE_MS)));
  return NEAREST_BY_STEP[step] ?? DURATION_MINUTES[9];
}

/** How much shorter than the shortest of the ten lengths a block may be. */
const LEAST_MINUTES = 45;

/** The shortest block whose nearest length is one of those given; without one, `Infinity`. */
export function leastLengthMs(chosenMinutes: readonly number[]): DurationMs {
  const shortest = Math.min(...chosenMinutes);
  const below = DURATION_MINUTES.findLast((minutes) => minutes < shortest);
  return (below === undefined ? LEAST_MINUTES : (below + shortest) / 2) * MINUTE_MS;
}
