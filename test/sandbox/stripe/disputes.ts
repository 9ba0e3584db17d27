import type { Act } from "./act.ts";
import { emit } from "./events.ts";
import { refuse } from "./refusal.ts";
import type { Charge, Dispute } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { chargeView } from "./views/charges.ts";
import { disputeView } from "./views/disputes.ts";

/** Opens a dispute for a charge: for the rest of it, or for a part. An inquiry withdraws no money yet. */
export function openDispute(
  act: Act,
  charge: Charge,
  {
    reason,
    amount = charge.amount - charge.refundedAmount,
    isInquiry = false,
  }: { reason: Dispute["reason"]; amount?: number | undefined; isInquiry?: boolean },
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
    status: isInquiry ? "warning_needs_response" : "needs_response",
    caseType: "chargeback",
    transactions: isInquiry ? [] : [{ at: now, amount: -amount }],
  };
  state.payments.disputes.set(dispute.id, dispute);
  const disputed: Charge = { ...charge, disputeId: dispute.id };
  state.payments.charges.set(charge.id, disputed);
  emit(act, "charge.dispute.created", disputeView(state, dispute));
  emit(act, "charge.updated", chargeView(state, disputed), { disputed: false });
  if (!isInquiry) emit(act, "charge.dispute.funds_withdrawn", disputeView(state, dispute));
  return dispute;
}

/** Evidence is submitted, and the bank decides; or an inquiry becomes a dispute, or ends. */
export function moveDispute(act: Act, dispute: Dispute, step: "review" | "escalate" | "close"): Dispute {
  const { status, amount } = dispute;
  const isInquiry = status === "warning_needs_response" || status === "warning_under_review";
  if (step === "review" ? !status.endsWith("needs_response") : !isInquiry)
    throw refuse(`Dispute ${dispute.id} is ${status}.`);
  const next = {
    review: isInquiry ? ("warning_under_review" as const) : ("under_review" as const),
    escalate: "needs_response" as const,
    close: "warning_closed" as const,
  }[step];
  const transactions = step === "escalate" ? [{ at: act.now, amount: -amount }] : dispute.transactions;
  const moved: Dispute = { ...dispute, status: next, transactions };
  act.state.payments.disputes.set(moved.id, moved);
  const view = disputeView(act.state, moved);
  emit(act, step === "close" ? "charge.dispute.closed" : "charge.dispute.updated", view, { status });
  if (step === "escalate") emit(act, "charge.dispute.funds_withdrawn", view);
  return moved;
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
  const isOpen = dispute.status === "needs_response" || dispute.status === "under_review";
  if (!isOpen && !isAppealWon) throw refuse(`Dispute ${dispute.id} is closed: ${dispute.status}.`);
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
