import { noteSent } from "./in-flight.ts";
import { mayCheckVerificationNow } from "./phase.ts";
import { updateState, updateTransient, type Transition } from "./transition.ts";
import { MINUTE_MS } from "../../db/shapes/units.ts";

/** A return this soon after the last one doesn't start the first minutes anew, so that it writes no row. */
const FRESH_RETURN_MS = MINUTE_MS;

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
