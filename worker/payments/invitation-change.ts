import type { InvitationChange } from "../../db/queries/rewards/invitation-rewards.ts";
import type { PaymentChange } from "../../db/queries/payments/payment-changes.ts";
import type { PaymentRow } from "../../db/queries/payments/payments.ts";
import type { PaymentStatus } from "../../db/shapes/money/plans.ts";
import { DAY_MS, type DurationMs } from "../../db/shapes/units.ts";
import type { Refund } from "./refunds.ts";

/** A refund within this time after the payment takes the inviter's free days back. A lost dispute always does. */
const REFUND_WINDOW_MS: DurationMs = 14 * DAY_MS;

/**
 * The effect of a friend's payment on their inviter. Only money counts: a plan paid with points grants nothing, and a
 * part of the money given back, or a refund that is goodwill, takes nothing.
 */
export function invitationChange(
  payment: Pick<PaymentRow, "status" | "settledAt" | "totalCents">,
  { change, refunds }: { change: Pick<PaymentChange, "status" | "settledAt">; refunds: readonly Refund[] },
): InvitationChange | null {
  if (payment.totalCents === 0) return null;
  const was = payment.settledAt !== null && isKept(payment.status);
  const is = change.settledAt !== null && isKept(change.status);
  if (was === is) return null;
  if (is) return "grant";
  return takesBack(payment, refunds) ? "revoke" : null;
}

function isKept(status: PaymentStatus): boolean {
  return status !== "refunded" && status !== "dispute_lost";
}

function takesBack({ settledAt }: Pick<PaymentRow, "settledAt">, refunds: readonly Refund[]): boolean {
  const taking = refunds.filter(({ isEffective, isGoodwill }) => isEffective && !isGoodwill);
  if (taking.some(({ kind }) => kind === "dispute")) return true;
  return taking.length > 0 && taking.every(({ at }) => at - (settledAt ?? at) <= REFUND_WINDOW_MS);
}
