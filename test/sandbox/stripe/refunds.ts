import { methodOf, type Act } from "./act.ts";
import { emit } from "./events.ts";
import { refuse } from "./refusal.ts";
import type { Charge, Metadata, Refund } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { chargeView } from "./views/charges.ts";
import { refundView } from "./views/refunds.ts";

/** How long an asynchronous refund takes. */
const LATER_MS = 10_000;

type Wanted = { amount?: number | undefined; reason?: string | undefined; metadata?: Metadata | undefined };

/** @throws {StripeRefusal} charge_already_refunded, charge_disputed, or an amount that is too large */
export function refundCharge(act: Act, charge: Charge, { amount, reason, metadata }: Wanted): Refund {
  const { state, now } = act;
  const left = charge.amount - charge.refundedAmount;
  if (charge.decline !== null) throw refuse(`Charge ${charge.id} did not succeed and cannot be refunded.`);
  if (left === 0)
    throw refuse(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  const dispute = state.payments.disputes.get(charge.disputeId ?? "");
  if (dispute && dispute.status !== "won") {
    throw refuse(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed",
    });
  }
  const wanted = amount ?? left;
  if (wanted < 1)
    throw refuse("Invalid positive integer", { code: "parameter_invalid_integer", param: "amount" });
  if (wanted > left) {
    throw refuse(
      `Refund amount (${money(wanted)}) is greater than unrefunded amount on charge (${money(left)})`,
      { param: "amount" },
    );
  }
  const { play } = methodOf(state, charge.methodId);
  const refund: Refund = {
    id: paymentId(state, "re"),
    createdAt: now,
    chargeId: charge.id,
    intentId: charge.intentId,
    amount: wanted,
    currency: charge.currency,
    reason: reason ?? null,
    metadata: metadata ?? {},
    status: play.refund === "later" ? "pending" : "succeeded",
    ends:
      play.refund === "at_once"
        ? null
        : { at: now + LATER_MS, status: play.refund === "later" ? "succeeded" : "failed" },
  };
  state.payments.refunds.set(refund.id, refund);
  const refunded: Charge = { ...charge, refundedAmount: charge.refundedAmount + wanted };
  state.payments.charges.set(charge.id, refunded);
  emit(act, "refund.created", refundView(state, refund));
  emit(act, "charge.refunded", chargeView(state, refunded), {
    amount_refunded: charge.refundedAmount,
    refunded: false,
  });
  return refund;
}

/** Completes due asynchronous refunds. A failed one restores the charge's amount. */
export function endRefunds(act: Act): void {
  const { state, now } = act;
  for (const refund of state.payments.refunds.values()) {
    if (refund.ends === null || refund.ends.at > now) continue;
    const ended: Refund = { ...refund, status: refund.ends.status, ends: null };
    state.payments.refunds.set(refund.id, ended);
    const charge = state.payments.charges.get(refund.chargeId);
    if (ended.status === "failed" && charge)
      state.payments.charges.set(charge.id, {
        ...charge,
        refundedAmount: charge.refundedAmount - refund.amount,
      });
    const view = refundView(state, ended);
    emit(act, "refund.updated", view, { status: refund.status });
    emit(act, "charge.refund.updated", view, { status: refund.status });
    if (ended.status === "failed") emit(act, "refund.failed", view);
  }
}

const money = (amount: number): string => `$${(amount / 100).toFixed(2)}`;
