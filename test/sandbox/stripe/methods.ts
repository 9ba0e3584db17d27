import { methodOf, type Act } from "./act.ts";
import { READY_MADE, brandOf, playOf } from "./cards.ts";
import { missing } from "./refusal.ts";
import type { Method } from "./shapes.ts";
import { paymentId } from "./tables.ts";

/** Stores the card's details and behavior, but not its number. */
export function addMethod(
  { state, now }: Act,
  card: { number: string; expMonth: number; expYear: number; billing: Method["billing"] },
): Method {
  const method: Method = {
    id: paymentId(state, "pm"),
    createdAt: now,
    customer: null,
    brand: brandOf(card.number),
    last4: card.number.slice(-4),
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
