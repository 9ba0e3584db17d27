import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";

/** An object that has nothing to do for this long leaves memory. */
const EVICTION_MS: DurationMs = 10_000;

/** Whether the object may leave memory before it wakes again. */
export function mayLeaveMemory(now: EpochMs, wakesAt: EpochMs | null): boolean {
  return wakesAt === null || wakesAt - now >= EVICTION_MS;
}
