import { compiledFiltersOf, nextAwakeOf, type Awake } from "./verdicts/compiled-filters.ts";
import { areCountedRead, limitBookOf } from "./verdicts/counted-blocks.ts";
import { fullnessOf, type Fullness } from "./verdicts/limit-book.ts";
import type { DriverState, EngineSettings } from "./state/types.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** How old held blocks may be while a limit is reached. */
const LIMIT_RECHECK_MS = 15 * MINUTE_MS;

/** When an offer can be taken, and the first limit that keeps the driver from taking one before; null if none does. */
export function awakeFrom(
  state: DriverState,
  profile: Profile,
  clock: { now: EpochMs; settings: EngineSettings },
): { awake: Awake | null; fullBy: Fullness | null } {
  const { settings } = clock;
  // While service is paused, nothing can be taken.
  const now = Math.max(clock.now, profile.pausedUntil ?? 0);
  const filters = compiledFiltersOf(profile, state.warehouses);
  const horizonMs = settings.offerHorizonMs;
  // A pending accept may still be lost a moment from now: only its outcome can put the driver to sleep.
  const book = limitBookOf(state, "unknown", settings.currency);
  const isUsual = book === null || !areCountedRead(state, clock.now);
  if (isUsual) return { awake: nextAwakeOf(filters, { now, horizonMs }), fullBy: null };
  let fullBy: Fullness | null = null;
  const awake = nextAwakeOf(filters, {
    now,
    horizonMs,
    isFull: (day, lengthMs) => {
      const full = fullnessOf(book, day, lengthMs);
      fullBy ??= full;
      return full !== null;
    },
  });
  const isDelayed = fullBy !== null && awake?.at !== nextAwakeOf(filters, { now, horizonMs })?.at;
  return { awake, fullBy: isDelayed ? fullBy : null };
}

/** When to read the blocks again while a limit keeps the driver from taking any: the driver may have given one back. */
export function limitRecheckAt(
  state: DriverState,
  profile: Profile,
  ctx: { now: EpochMs; settings: EngineSettings },
): EpochMs | null {
  const { awake, fullBy } = awakeFrom(state, profile, ctx);
  const isAwake = awake !== null && awake.at <= ctx.now;
  return fullBy === null || isAwake ? null : (state.transient.heldFetchedAt ?? 0) + LIMIT_RECHECK_MS;
}
