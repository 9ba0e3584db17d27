import type { Profile } from "../../../db/shapes/profile.ts";
import { HOUR_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { shiftNeed, type Check, type ShiftCheck, type ShiftNeed } from "../../../db/shapes/work/checks.ts";
import { awakeFrom } from "../awake.ts";
import type { DriverState, EngineSettings } from "../state/types.ts";
import { hoursFrom, type Hours } from "./hours.ts";

/** How long before the driver's hours begin everything is checked. */
export const SHIFT_LEAD_MS = HOUR_MS;
/** Starts that are nearer to each other than this are checked once: hours that were moved, or a clock that was. */
const SAME_START_MS = 3 * HOUR_MS;

/** The next start of hours before which everything is to be checked; null if there is none for a driver like this. */
export function nextShift(
  { profile, warehouses }: Pick<DriverState, "profile" | "warehouses">,
  last: ShiftCheck | null,
  now: EpochMs,
): Hours | null {
  if (!profile?.switchedOn) return null;
  const hours = hoursFrom(profile, warehouses, now).find(
    ({ opensAt }) => opensAt > now && !wasChecked(last, opensAt),
  );
  return hours && isWorthChecking(profile, hours, last) ? hours : null;
}

function wasChecked(last: ShiftCheck | null, opensAt: EpochMs): boolean {
  return last !== null && Math.abs(opensAt - last.startsAt) < SAME_START_MS;
}

/** The end of service is told once; without service no day needs a check. */
function isWorthChecking(
  { serviceUntil, waitingForSpot }: Profile,
  { opensAt }: Hours,
  last: ShiftCheck | null,
): boolean {
  if (serviceUntil === null || waitingForSpot) return false;
  return serviceUntil > opensAt - SHIFT_LEAD_MS || !last?.told.includes("service_over");
}

/** The instant of the check. */
export function shiftCheckAt({ opensAt }: Hours): EpochMs {
  return opensAt - SHIFT_LEAD_MS;
}

/** The needs before these hours; none where no block can be taken in them, as in a pause. */
export function needsBefore(
  { opensAt }: Hours,
  {
    state,
    checks,
    now,
    settings,
  }: { state: DriverState; checks: readonly Check[]; now: EpochMs; settings: EngineSettings },
): ShiftNeed[] {
  const { awake } = state.profile ? awakeFrom(state, state.profile, { now, settings }) : { awake: null };
  if (awake === null || awake.at > opensAt) return [];
  const codes = new Set<string>(checks.map(({ code }) => code));
  const needs = shiftNeed.options.filter((need) => codes.has(need));
  // Nothing else matters before there is service again.
  return needs.includes("service_over") ? ["service_over"] : needs;
}

/** The needs that are told before each of their hours. Any other is told once, until it is mended. */
const TOLD_EACH_TIME: readonly ShiftNeed[] = ["link_ended", "selfie_required"];

/** Those of the needs that are worth a message now. */
export function untold(needs: readonly ShiftNeed[], last: ShiftCheck | null): ShiftNeed[] {
  return needs.filter((need) => TOLD_EACH_TIME.includes(need) || !last?.told.includes(need));
}
