import { reachableAt } from "./state/callable.ts";
import { verificationIntervalMs } from "./state/cadence.ts";
import { isInFlight, noteSent } from "./attempts/in-flight.ts";
import { updateState, updateTransient, type Transition } from "./state/transition.ts";
import type { DriverState } from "./state/types.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";

/** A return this soon after the last one doesn't restart the first minutes, so it writes no row. */
const FRESH_RETURN_MS = MINUTE_MS;
/** The least time between two checks of a verification, however often the driver returns. */
const MIN_VERIFICATION_GAP_MS = 1_000;

/** Asks the platform whether the driver must still verify themselves. */
export function requestVerificationCheck(transition: Transition): void {
  updateTransient(transition, { verificationCheckedAt: transition.ctx.now });
  noteSent(transition, "check_verification");
  transition.calls.push({ kind: "check_verification" });
}

/** A driver who comes back while a verification is pending may have done it: ask at once, then often for a while. */
export function applyReturn(transition: Transition): void {
  const { state, ctx } = transition;
  if (!mayCheckVerificationNow(state, ctx.now)) return;
  const { verification } = state;
  if (verification && ctx.now - verification.since >= FRESH_RETURN_MS)
    updateState(transition, { verification: { ...verification, since: ctx.now } });
  requestVerificationCheck(transition);
}

/** Whether the platform must be asked again if it still requires a verification. */
export function isVerificationCheckDue(state: DriverState, now: EpochMs): boolean {
  const at = verificationCheckAt(state, now);
  return at !== null && at <= now;
}

/** When to ask next; null if no verification is required. */
export function verificationCheckAt(state: DriverState, now: EpochMs): EpochMs | null {
  const { verification, transient } = state;
  if (!verification || !isVerificationAwaited(state, now)) return null;
  const { verificationCheckedAt: checkedAt } = transient;
  const reachable = reachableAt(state, now);
  if (checkedAt === null) return reachable;
  return Math.max(reachable, checkedAt + verificationIntervalMs(checkedAt - verification.since));
}

function isVerificationAwaited(state: DriverState, now: EpochMs): boolean {
  const { profile, link } = state;
  return (
    profile?.switchedOn === true && link.status === "linked" && !isInFlight(state, "check_verification", now)
  );
}

/** Whether to ask at once, because the driver has come back and may have verified themselves. */
export function mayCheckVerificationNow(state: DriverState, now: EpochMs): boolean {
  const { verificationCheckedAt: checkedAt } = state.transient;
  return (
    state.verification !== null &&
    isVerificationAwaited(state, now) &&
    reachableAt(state, now) <= now &&
    (checkedAt === null || now - checkedAt >= MIN_VERIFICATION_GAP_MS)
  );
}
