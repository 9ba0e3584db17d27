import type * as z from "zod/mini";
import {
  type DiscountKind,
  type ShownPaymentStatus,
  type ShownPlan,
  PLAN_DAYS,
} from "../../../db/shapes/money/plans.ts";
import type { Payment, receiptMethod } from "../../../worker/contract/money/payments.ts";
import { m } from "../../messages/messages.js";
import { formatCount, formatDays, formatMoney, formatServiceTime } from "../language/format.ts";
import {
  moneyMessage,
  netPoints,
  type MoneyMessageKey,
  type ReturnedOutcome,
} from "../../../db/shapes/money/money-back.ts";

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

/** The name of a payment whose money stayed after all, since its refund failed or its dispute was won. */
const REVERSAL_LABELS = {
  refund_failed: { name: m.pay_refund_failed, tone: "warn" },
  dispute_won: { name: m.pay_dispute_won, tone: "good" },
} satisfies Record<NonNullable<Payment["reversal"]>, { name: () => string; tone: "warn" | "good" }>;

const MONEY_MESSAGES = {
  news_refunded: m.news_refunded,
  news_refunded_days_unchanged: m.news_refunded_days_unchanged,
  news_refund_failed: m.news_refund_failed,
  news_refund_failed_days_unchanged: m.news_refund_failed_days_unchanged,
  news_days_kept: m.news_days_kept,
  news_disputed: m.news_disputed,
  news_disputed_days_unchanged: m.news_disputed_days_unchanged,
  news_dispute_opened: m.news_dispute_opened,
  news_dispute_won: m.news_dispute_won,
  news_dispute_won_days_unchanged: m.news_dispute_won_days_unchanged,
} satisfies Record<MoneyMessageKey, (values: { money: string; length: string }) => string>;

/** A sentence for each refund and dispute of a payment, as texts say it, and one for the points that it changed. */
export function describeMoneyBack({ back = [], currency }: Pick<Payment, "back" | "currency">): string[] {
  return back.flatMap((fact) => {
    const { key, lengthMs } = moneyMessage(fact);
    const length = formatServiceTime(lengthMs ?? 0);
    const points = netPoints(fact);
    const said = MONEY_MESSAGES[key]({ money: formatMoney(fact.cents, currency), length });
    if (points === 0) return [said];
    const count = { points: formatCount(Math.abs(points)) };
    return [said, points < 0 ? m.pay_points_taken(count) : m.pay_points_returned(count)];
  });
}

const RETURNED_LABELS = { refunded: m.receipt_refund, disputed: m.receipt_dispute } satisfies Record<
  ReturnedOutcome,
  (inputs: { date: string }) => string
>;

/** A receipt's line of money that went back. */
export function returnedLabel(outcome: ReturnedOutcome, date: string): string {
  return RETURNED_LABELS[outcome]({ date });
}

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

const BRANDS: Readonly<Record<string, string>> = {
  amex: "American Express",
  diners: "Diners Club",
  discover: "Discover",
  elo: "Elo",
  jcb: "JCB",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
  visa: "Visa",
};

/** `Visa ending in 4242`, `Link`. */
export function formatCard({ type, brand, last4 }: z.infer<typeof receiptMethod>): string {
  if (type === "link") return "Link";
  if (last4 === null) return m.cards_other();
  return m.cards_label({ brand: BRANDS[brand ?? ""] ?? brand ?? type, last4 });
}
