import { HOUR_MS, MINUTE_MS, type DriverId, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import { watcherOf } from "./watchers.ts";

const SECOND_MS = 1_000;
/**
 * How often an object removes old rows and asks D1 for a newer profile. The Worker sends each change; where that fails,
 * the object's watcher wakes it, and it asks then.
 */
const HOURLY_MS = HOUR_MS;
/** The driver's turn at the hourly work comes within so long. */
const HOURLY_SPREAD_MS = 10 * MINUTE_MS;
/** The same for the look at the profile after a lost alarm: the watchers wake all that lost theirs in one round. */
const LATE_SPREAD_MS = MINUTE_MS / 2;

/** A life of an object in memory: when it began, and whether it may end before the object wakes again. */
export type ObjectMemory = { bornAt: EpochMs; mayEnd: boolean };

type Turn = { driverId: DriverId; everyMs: DurationMs };

/**
 * Whether a turn of the driver's own has begun between two instants: one begins in each span of so many milliseconds,
 * at a second of the driver's own. A deployment or a region's return wakes all objects at once; what each does at its
 * turn comes spread over the span.
 */
export function hasTurned(
  { driverId, everyMs }: Turn,
  { from, to }: { from: EpochMs; to: EpochMs },
): boolean {
  const ownMs = watcherOf(driverId, everyMs / SECOND_MS) * SECOND_MS;
  const turnOf = (at: EpochMs) => Math.floor((at - ownMs) / everyMs);
  return turnOf(to) > turnOf(from);
}

/**
 * Whether the hourly work is due: at the driver's turn as the hour ends, or when it has ended, if the object may not be
 * there then.
 */
export function isHourlyDue(
  driverId: DriverId,
  lastAt: EpochMs,
  { bornAt, mayEnd }: ObjectMemory,
  now: EpochMs,
): boolean {
  const dueAt = lastAt + HOURLY_MS;
  if (mayEnd && now >= dueAt) return true;
  const from = Math.max(bornAt, dueAt - HOURLY_SPREAD_MS);
  return hasTurned({ driverId, everyMs: HOURLY_SPREAD_MS }, { from, to: now });
}

/** Whether an object that had lost its alarm looks at its profile now: at the driver's turn, or before it may be gone. */
export function isLateLookDue(
  driverId: DriverId,
  lateSince: EpochMs | null,
  { mayEnd }: ObjectMemory,
  now: EpochMs,
): boolean {
  if (lateSince === null) return false;
  return mayEnd || hasTurned({ driverId, everyMs: LATE_SPREAD_MS }, { from: lateSince, to: now });
}

/** An object that has nothing to do for this long leaves memory. */
const EVICTION_MS: DurationMs = 10_000;

/** Whether the object may leave memory before it wakes again. */
export function mayLeaveMemory(now: EpochMs, wakesAt: EpochMs | null): boolean {
  return wakesAt === null || wakesAt - now >= EVICTION_MS;
}
