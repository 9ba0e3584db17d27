import { digest } from "../chance.ts";
import { methodOf, type Act } from "./act.ts";
import { READY_MADE, brandOf, playOf } from "./cards.ts";
import { emit } from "./events.ts";
import { malformed, missing, refuse } from "./refusal.ts";
import type { Intent, Method } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { methodView } from "./views/methods.ts";

/** Stores the card's details and behavior, but not its number. */
export function addMethod(
  { state, now }: Act,
  card: Pick<Method, "expMonth" | "expYear" | "billing"> &
    Partial<Pick<Method, "allowRedisplay" | "fingerprint">> & { number: string },
): Method {
  const method: Method = {
    id: paymentId(state, "pm"),
    createdAt: now,
    customer: null,
    setUp: false,
    detached: false,
    allowRedisplay: card.allowRedisplay ?? "unspecified",
    brand: brandOf(card.number),
    last4: card.number.slice(-4),
    fingerprint: card.fingerprint ?? digest(`card ${card.number}`).slice(0, 16),
    country: "US",
    funding: card.number === "4000056655665556" ? "debit" : "credit",
    expMonth: card.expMonth,
    expYear: card.expYear,
    billing: card.billing,
    play: playOf(card.number),
  };
  state.payments.methods.set(method.id, method);
  return method;
}

/** A payment method by its id, or one of Stripe's predefined test methods. */
export function findMethod(act: Act, id: string): Method {
  const number = READY_MADE[id];
  if (number !== undefined) {
    const year = new Date(act.now).getUTCFullYear() + 3;
    const billing = { country: null, postalCode: null, name: null, email: null };
    return addMethod(act, { number, expMonth: 12, expYear: year, billing });
  }
  if (!act.state.payments.methods.get(id)) throw missing("PaymentMethod", id, "payment_method");
  return methodOf(act.state, id);
}

/** Attaches a method to a customer. A method that was kept before may be set up further, never less. */
export function saveMethod(
  act: Act,
  method: Method,
  { customer, setUp }: { customer: string; setUp: boolean },
): Method {
  const { allowRedisplay } = method;
  const kept: Method = {
    ...method,
    customer,
    setUp: method.setUp || setUp,
    // A method that is kept without its owner's leave to show it again.
    allowRedisplay: allowRedisplay === "unspecified" ? "limited" : allowRedisplay,
  };
  act.state.payments.methods.set(method.id, kept);
  if (method.customer !== customer) emit(act, "payment_method.attached", methodView(kept));
  return kept;
}

/** @throws {StripeRefusal} if no customer has the method */
export function detachMethod(act: Act, method: Method): Method {
  if (method.customer === null) {
    throw refuse(
      "The payment method you provided is not attached to a customer so detachment is impossible.",
      { param: "payment_method" },
    );
  }
  const detached: Method = { ...method, customer: null, detached: true };
  act.state.payments.methods.set(method.id, detached);
  emit(act, "payment_method.detached", methodView(detached), { customer: method.customer });
  return detached;
}

/** The methods that a customer kept, newest first. */
export function methodsOf({ state }: Act, customer: string): Method[] {
  return state.payments.methods
    .values()
    .filter((method) => method.customer === customer)
    .toReversed();
}

/** @throws {StripeRefusal} if the method was removed from its customer, or is another's */
export function checkOwner({ id, customer, detached }: Method, intent: Intent): void {
  if (detached) {
    throw refuse(
      `The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.`,
    );
  }
  if (customer !== null && customer !== intent.customer) {
    throw malformed(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      { code: "resource_missing", param: "payment_method" },
    );
  }
}
