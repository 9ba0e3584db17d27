import { updateTransient, type Transition } from "../state/transition.ts";
import type { CallKey, DriverState } from "../state/types.ts";
import { MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";

/** Longer than any call may take: one that is still unanswered then was cut off by a restart or a fault. */
const CALL_TIMEOUT_MS: DurationMs = 2 * MINUTE_MS;

/** Accepts in flight at once, repeats included. */
const MAX_ACCEPTS_IN_FLIGHT = 4;

/** How many of these may be repeats of accepts that got no response. */
const MAX_REPEATS_IN_FLIGHT = 1;

/** When a call that was sent at an instant can no longer be answered. */
export function timesOutAt(sentAt: EpochMs): EpochMs {
  return sentAt + CALL_TIMEOUT_MS;
}

/** Whether such a call was sent and may still be answered. */
export function isInFlight({ transient }: DriverState, key: CallKey, now: EpochMs): boolean {
  const sentAt = transient.inFlight.get(key);
  return sentAt !== undefined && now < timesOutAt(sentAt);
}

/** How many more accepts may be sent now. */
export function roomForAccepts(state: DriverState, now: EpochMs): number {
  const accepts = [...state.openAttempts.values()].filter(
    ({ attemptId, outcome }) => outcome.status === "pending" || isInFlight(state, attemptId, now),
  );
  return Math.max(0, MAX_ACCEPTS_IN_FLIGHT - accepts.length);
}

/** How many more repeats may be sent now: of the places of accepts they take one, so that new matches find the others. */
export function roomForRepeats(state: DriverState, now: EpochMs): number {
  const repeats = [...state.openAttempts.values()].filter(
    ({ attemptId, outcome }) => outcome.status === "unknown" && isInFlight(state, attemptId, now),
  );
  return Math.min(MAX_REPEATS_IN_FLIGHT - repeats.length, roomForAccepts(state, now));
}

/** Notes that a call is being sent. */
export function noteSent(transition: Transition, key: CallKey): void {
  const { inFlight } = transition.state.transient;
  updateTransient(transition, { inFlight: new Map([...inFlight, [key, transition.ctx.now]]) });
}

/** Notes that a call was answered or failed. */
export function noteAnswered(transition: Transition, key: CallKey): void {
  const { inFlight } = transition.state.transient;
  if (!inFlight.has(key)) return;
  updateTransient(transition, { inFlight: new Map([...inFlight].filter(([other]) => other !== key)) });
}
