import type { Act } from "./act.ts";
import { emit } from "./events.ts";
import { refuse } from "./refusal.ts";
import type { Booking } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { payoutView, transactionsOf } from "./views/transactions.ts";

type Wanted = { type: Booking["type"]; amount: number; currency: string };

/**
 * A movement of the balance that no charge made: a payout to the bank, or a fee of Stripe's for something else.
 * @throws {StripeRefusal} balance_insufficient
 */
export function bookMovement(act: Act, { type, amount, currency }: Wanted): Booking {
  const { state, now } = act;
  const balance = transactionsOf(state)
    .filter((row) => row["currency"] === currency)
    .reduce((total, { net }) => total + net, 0);
  if (type === "payout" && amount > balance) {
    throw refuse("You have insufficient funds in your Stripe account for this transfer.", {
      code: "balance_insufficient",
    });
  }
  const booking: Booking = {
    id: paymentId(state, "txn"),
    createdAt: now,
    type,
    amount: -amount,
    currency,
    source: type === "payout" ? paymentId(state, "po") : null,
  };
  state.payments.bookings.set(booking.id, booking);
  if (type === "payout") emit(act, "payout.paid", payoutView(booking));
  return booking;
}
