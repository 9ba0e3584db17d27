import type { EpochMs, State } from "../state.ts";
import { missing } from "./refusal.ts";
import type { Cause, Intent, Method } from "./shapes.ts";

/** The context of one operation: state, time, caller, and our origin for browsers. */
export type Act = {
  state: State;
  now: EpochMs;
  cause: Cause;
  /** Origin at which a browser reaches this sandbox. */
  origin: string;
  /** Queues an event for delivery. */
  post: (eventId: string) => void;
};

export const seconds = (at: EpochMs): number => Math.floor(at / 1000);

/** @throws {Error} if a row refers to a method that doesn't exist */
export function methodOf(state: State, methodId: string): Method {
  const method = state.payments.methods.get(methodId);
  if (!method) throw new Error(`no method ${methodId}`);
  return method;
}

/** @throws {StripeRefusal} resource_missing */
export function intentOf(state: State, id: string, param?: string): Intent {
  const intent = state.payments.intents.get(id);
  if (!intent) throw missing("payment_intent", id, param);
  return intent;
}

export function saveIntent({ state }: Act, intent: Intent): Intent {
  state.payments.intents.set(intent.id, intent);
  return intent;
}
