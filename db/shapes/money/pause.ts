import * as z from "zod/mini";
import { DAY_MS, epochMs, type DriverId, type DurationMs, type EpochMs } from "../units.ts";

/** In any 365 days a driver's service pauses for two weeks at most, in four pauses of a day or more. */
export const PAUSE_LIMITS = { days: 14, pauses: 4, perDays: 365 } as const;

/** A pause leaves at least this much service, so that neither its end nor a renewal falls into the pause. */
export const MIN_SERVICE_MS: DurationMs = 3 * DAY_MS;

const PREFIX = "pause:";

/** The source of a driver's nth pause in the service ledger, from 1. */
export function pauseSource(driverId: DriverId, nth: number): string {
  return `${PREFIX}${driverId}:${nth}`;
}

/** The source of the entry that ends a pause early. */
export function pauseEndSource(source: string): string {
  return `${source}:ended`;
}

/** Whether a grant of the service ledger is a pause: time in which no service runs. */
export function isPauseGrant(source: string): boolean {
  return source.startsWith(PREFIX);
}

/**
 * The obstacle to a pause. `short`: too little service is left. `waiting`: the driver has no spot. `contested`: others wait for
 * one in their city. `used_up`: the year's days or pauses are.
 */
export const pauseObstacle = z.enum(["short", "waiting", "contested", "used_up"]);
export type PauseObstacle = z.infer<typeof pauseObstacle>;

/** A driver's pauses: the end of the one that runs, and what the year still has. */
export type PauseTime = {
  until: EpochMs | null;
  /** The source of the latest pause; null before the first. */
  latest: string | null;
  /** How many there were ever. */
  count: number;
  pausesLeft: number;
  daysLeft: number;
};

/** GET, POST and DELETE /flex/v1/pause. */
export const pauseResponse = z.object({
  /** The end of the pause that runs; null if none does. */
  pausedUntil: z.nullable(epochMs),
  pausesLeft: z.int(),
  /** Whole days that a pause can last now. */
  daysLeft: z.int(),
  /** Null if the driver can pause now. */
  obstacle: z.nullable(pauseObstacle),
  serviceUntil: z.nullable(epochMs),
});
export type PauseResponse = z.infer<typeof pauseResponse>;

/** POST /flex/v1/pause. */
export const pauseInput = z.object({ days: z.int().check(z.gte(1), z.lte(PAUSE_LIMITS.days)) });
