import {
  type DiscountKind,
  type ShownPaymentStatus,
  type ShownPlan,
  PLAN_DAYS,
} from "../../../db/shapes/money/plans.ts";
import type { Payment } from "../../../worker/contract/money/payments.ts";
import { m } from "../../messages/messages.js";
import { formatDays } from "../language/format.ts";

/** The labels of discounts. */
export const DISCOUNT_LABELS = {
  flash_sale: m.pay_flash_sale,
  special_price: m.pay_special_price,
} satisfies Record<DiscountKind, () => string>;

/** The label and color of each payment status. */
export const STATUS_LABELS = {
  open: { name: m.pay_status_open, tone: "soft" },
  processing: { name: m.pay_status_processing, tone: "warn" },
  settled: { name: m.pay_status_settled, tone: "good" },
  abandoned: { name: m.pay_status_abandoned, tone: "soft" },
  refunded: { name: m.pay_status_refunded, tone: "soft" },
  partly_refunded: { name: m.pay_status_partly_refunded, tone: "soft" },
  disputed: { name: m.pay_status_disputed, tone: "warn" },
  dispute_lost: { name: m.pay_status_dispute_lost, tone: "bad" },
  other: { name: m.pay_status_other, tone: "soft" },
} satisfies Record<ShownPaymentStatus, { name: () => string; tone: "good" | "warn" | "bad" | "soft" }>;

/** The meaning of a status for the driver, if its name doesn't tell it. */
export const STATUS_NOTES: Partial<Record<ShownPaymentStatus, () => string>> = {
  refunded: m.pay_refunded_text,
  disputed: m.pay_note_disputed,
  dispute_lost: m.pay_note_dispute_lost,
};

/** The label of a payment whose refund failed after all. */
export const REVERSAL_LABELS = {
  refund_failed: { name: m.pay_refund_failed, note: m.pay_note_refund_failed, tone: "warn" },
  dispute_won: { name: m.pay_dispute_won, note: m.pay_note_dispute_won, tone: "good" },
} satisfies Record<
  NonNullable<Payment["reversal"]>,
  { name: () => string; note: () => string; tone: "warn" | "good" }
>;

/** The label and color of a payment: what became of a refund or a dispute says more than 'paid'. */
export function paymentLabel({ status, reversal }: Pick<Payment, "status" | "reversal">): {
  name: () => string;
  tone: "good" | "warn" | "bad" | "soft";
} {
  return reversal === null ? STATUS_LABELS[status] : REVERSAL_LABELS[reversal];
}

/** `14 days`. */
export function formatPlan(plan: ShownPlan): string {
  return plan === "other" ? m.pay_plan_other() : formatDays(PLAN_DAYS[plan]);
}
