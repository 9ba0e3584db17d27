import type { EpochMs, State } from "../state.ts";
import { missing } from "./refusal.ts";
import type { Cause, Intent, Method } from "./shapes.ts";

/** One thing being done to the payments: with what, when, on whose account, and where a browser finds us. */
export type Act = {
  state: State;
  now: EpochMs;
  cause: Cause;
  /** Origin at which a browser reaches this sandbox. */
  origin: string;
  /** Hands an event over to be delivered. */
  post: (eventId: string) => void;
};

export const seconds = (at: EpochMs): number => Math.floor(at / 1000);

/** @throws {Error} where a row names a method that is not there. */
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
