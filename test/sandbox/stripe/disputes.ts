import type { Act } from "./act.ts";
import { emit } from "./events.ts";
import { refuse } from "./refusal.ts";
import type { Charge, Dispute } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { chargeView } from "./views/charges.ts";
import { disputeView } from "./views/disputes.ts";

/** Opens a dispute for a charge: for the rest of it, or for a part. */
export function openDispute(
  act: Act,
  charge: Charge,
  reason: Dispute["reason"],
  amount = charge.amount - charge.refundedAmount,
): Dispute {
  const { state, now } = act;
  if (charge.decline !== null) throw refuse(`Charge ${charge.id} did not succeed; it can't be disputed.`);
  if (amount > charge.amount - charge.refundedAmount)
    throw refuse(`A dispute of ${amount} is greater than the rest of charge ${charge.id}.`);
  const dispute: Dispute = {
    id: paymentId(state, "du"),
    createdAt: now,
    chargeId: charge.id,
    intentId: charge.intentId,
    amount,
    currency: charge.currency,
    reason,
    status: "needs_response",
    caseType: "chargeback",
    transactions: [{ at: now, amount: -amount }],
  };
  state.payments.disputes.set(dispute.id, dispute);
  const disputed: Charge = { ...charge, disputeId: dispute.id };
  state.payments.charges.set(charge.id, disputed);
  emit(act, "charge.dispute.created", disputeView(state, dispute));
  emit(act, "charge.updated", chargeView(state, disputed), { disputed: false });
  emit(act, "charge.dispute.funds_withdrawn", disputeView(state, dispute));
  return dispute;
}

/**
 * A dispute that is prevented before it becomes a chargeback: resolved, which withdraws the money without the bank
 * asking, or blocked, which leaves it.
 */
export function preventDispute(act: Act, charge: Charge, caseType: "resolution" | "block"): Dispute {
  const { state, now } = act;
  const amount = charge.amount - charge.refundedAmount;
  const dispute: Dispute = {
    id: paymentId(state, "du"),
    createdAt: now,
    chargeId: charge.id,
    intentId: charge.intentId,
    amount,
    currency: charge.currency,
    reason: "fraudulent",
    status: "prevented",
    caseType,
    transactions: caseType === "resolution" ? [{ at: now, amount: -amount }] : [],
  };
  state.payments.disputes.set(dispute.id, dispute);
  emit(act, "charge.dispute.created", disputeView(state, dispute));
  if (caseType === "resolution") emit(act, "charge.dispute.funds_withdrawn", disputeView(state, dispute));
  emit(act, "charge.dispute.closed", disputeView(state, dispute));
  return dispute;
}

/** Decides a dispute. One that was lost can still be won, by an appeal. */
export function closeDispute(act: Act, dispute: Dispute, status: "won" | "lost"): Dispute {
  const isAppealWon = dispute.status === "lost" && status === "won";
  if (dispute.status !== "needs_response" && !isAppealWon)
    throw refuse(`Dispute ${dispute.id} is closed: ${dispute.status}.`);
  const reinstated = status === "won" ? [{ at: act.now, amount: dispute.amount }] : [];
  const closed: Dispute = {
    ...dispute,
    status,
    transactions: [...dispute.transactions, ...reinstated],
  };
  act.state.payments.disputes.set(closed.id, closed);
  emit(act, "charge.dispute.closed", disputeView(act.state, closed), { status: dispute.status });
  if (status === "won") emit(act, "charge.dispute.funds_reinstated", disputeView(act.state, closed));
  return closed;
}
