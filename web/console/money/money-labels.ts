import { moneyOutcome, type MoneyOutcome, type DisputeStatus } from "../../../db/shapes/money/money-back.ts";
import type {
  DisputeInList,
  PointUse,
  RefundInList,
} from "../../../worker/contract/console/operator-money.ts";
import { m } from "../messages/messages.js";

const DISPUTES = {
  needs_response: m.dispute_answer,
  warning_needs_response: m.dispute_inquiry,
  under_review: m.dispute_wait,
  warning_under_review: m.dispute_wait,
  won: m.dispute_won,
  lost: m.dispute_lost,
  warning_closed: m.dispute_closed,
  prevented: m.dispute_other,
  other: m.dispute_other,
} satisfies Record<DisputeStatus, () => string>;

/** A dispute's next step, or its end. */
export function disputeLabel({ status, dueAt }: DisputeInList, now: number): string {
  return dueAt !== null && dueAt < now ? m.dispute_late() : DISPUTES[status]();
}

const OUTCOMES = {
  refunded: m.back_refund,
  refund_failed: m.back_failed,
  disputed: m.back_dispute,
  dispute_opened: m.dispute_wait,
  dispute_won: m.dispute_won,
} satisfies Record<MoneyOutcome, () => string>;

/** The outcome of a refund or a dispute, which the driver reads too. */
export function backLabel({ kind, isEffective }: Pick<RefundInList, "kind" | "isEffective">): string {
  return OUTCOMES[moneyOutcome({ kind, state: isEffective ? "back" : "void" })]();
}

export const POINT_USES = {
  earned: m.points_use_earned,
  operator: m.points_use_operator,
  other: m.points_use_other,
  plans: m.points_use_plans,
  redeemed: m.points_use_redeemed,
  refunds: m.points_use_refunds,
} satisfies Record<PointUse, () => string>;
