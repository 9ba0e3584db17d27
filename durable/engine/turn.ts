import { backOff, climb } from "./cadence.ts";
import type { DriverState, Effect, LogEvent, Memory, Notice, PlatformFailure, StepContext } from "./types.ts";

/** One step under way: the state as it stands, and what is to be said and done. Lives inside `step` alone. */
export type Turn = {
  readonly ctx: StepContext;
  state: DriverState;
  readonly log: LogEvent[];
  readonly notices: Notice[];
  readonly calls: Effect[];
};

/** Begins a step. */
export function beginTurn(state: DriverState, ctx: StepContext): Turn {
  return { ctx, state, log: [], notices: [], calls: [] };
}

/** Changes fields of the state; where each is what it was, the state stays the same object. */
export function change(turn: Turn, fields: Partial<DriverState>): void {
  turn.state = patched(turn.state, fields);
}

/** Changes what a restart may forget. */
export function remember(turn: Turn, fields: Partial<Memory>): void {
  change(turn, { memory: patched(turn.state.memory, fields) });
}

function patched<T extends object>(whole: T, fields: Partial<T>): T {
  const next = { ...whole, ...fields };
  const isSame = Object.entries(next).every(([key, value]) => Object.is(value, Reflect.get(whole, key)));
  return isSame ? whole : next;
}

/** What a call that did not answer means for the calls after it. */
export function takeFailure(turn: Turn, failure: PlatformFailure): void {
  const { now } = turn.ctx;
  const { throttle, backoff } = turn.state;
  switch (failure.kind) {
    case "rate_limited":
      return change(turn, { throttle: climb(throttle, { now, retryAt: failure.retryAt }) });
    case "signed_out":
      return change(turn, { link: { status: "signed_out" } });
    case "verification_required":
      return change(turn, { verification: { url: failure.url } });
    case "unreachable":
    case "timeout":
    case "unreadable":
    case "refused":
      return change(turn, { backoff: backOff(backoff, now) });
  }
}
