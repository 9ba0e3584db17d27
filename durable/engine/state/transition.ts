import { increaseBackoff, escalateThrottle, stateWait } from "./cadence.ts";
import type { PlatformFailure } from "./outcomes.ts";
import type { DriverState, Effect, TransientState, DriverNotification, StepContext } from "./types.ts";
import type { LogEvent } from "../../../db/shapes/log/driver-log.ts";
import { MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";

/** A platform that requires verification this soon after it denied that means the same one. */
const DENIAL_HOLDS_MS: DurationMs = 10 * MINUTE_MS;

/** A step in progress: the state so far and the effects collected so far. Exists only during `step`. */
export type Transition = {
  readonly ctx: StepContext;
  state: DriverState;
  readonly log: LogEvent[];
  readonly notifications: DriverNotification[];
  readonly calls: Effect[];
};

/** A transition that has changed nothing yet. */
export function beginTransition(state: DriverState, ctx: StepContext): Transition {
  return { ctx, state, log: [], notifications: [], calls: [] };
}

/** Sets fields of the state. The state keeps its reference if nothing changed. */
export function updateState(transition: Transition, fields: Partial<DriverState>): void {
  transition.state = patch(transition.state, fields);
}

/** Sets fields of the part of the state that is not stored. */
export function updateTransient(transition: Transition, fields: Partial<TransientState>): void {
  updateState(transition, { transient: patch(transition.state.transient, fields) });
}

function patch<T extends object>(whole: T, fields: Partial<T>): T {
  for (const key in fields) if (!Object.is(fields[key], whole[key])) return { ...whole, ...fields };
  return whole;
}

/** Applies a failed call to what decides about further calls: throttle, link, verification or backoff. */
export function applyFailure(transition: Transition, failure: PlatformFailure): void {
  const { now } = transition.ctx;
  const { throttle, backoff, verification } = transition.state;
  switch (failure.kind) {
    case "rate_limited":
      return updateState(transition, {
        throttle: escalateThrottle(throttle, { now, retryAt: failure.retryAt }),
      });
    case "signed_out":
      // A call may be answered after the driver has unlinked.
      if (transition.state.link.status !== "linked") return;
      return updateState(transition, { link: { status: "signed_out" } });
    case "verification_required":
      return updateState(transition, {
        verification:
          verification?.url === failure.url
            ? verification
            : { url: failure.url, since: verification?.since ?? askedSince(transition) },
      });
    case "unreachable":
    case "timeout":
    case "unreadable":
    case "refused":
      applyStatedWait(transition, failure);
      return updateState(transition, { backoff: increaseBackoff(backoff, now) });
  }
}

/** A platform that says a moment later that it doesn't ask, and then asks again, still asks since the first time. */
function askedSince({ state, ctx }: Transition): EpochMs {
  const { verificationDenied: denied } = state.transient;
  return denied && ctx.now - denied.at < DENIAL_HOLDS_MS ? denied.since : ctx.now;
}

/** Applies the wait that the platform stated in a failed response, if it did. */
export function applyStatedWait(
  transition: Transition,
  { retryAt }: { kind: string; retryAt?: EpochMs },
): void {
  if (retryAt === undefined) return;
  const { now } = transition.ctx;
  updateState(transition, { throttle: stateWait(transition.state.throttle, { now, until: retryAt }) });
}
