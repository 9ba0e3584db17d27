import type { Receipt } from "../../../worker/contract/money/payments.ts";
import { m } from "../../messages/messages.js";

/** Names that cards carry, by Stripe's. */
const BRANDS: Readonly<Record<string, string>> = {
  amex: "American Express",
  diners: "Diners Club",
  discover: "Discover",
  jcb: "JCB",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
  visa: "Visa",
};

/** `Visa ending in 4242`, `Points`; what we have no name for, as Stripe calls it. */
export function formatMethod({ type, brand, last4 }: NonNullable<Receipt["method"]>): string {
  if (brand !== null && last4 !== null) return m.receipt_card({ brand: BRANDS[brand] ?? brand, last4 });
  if (type === "points") return m.receipt_method_points();
  if (type === "link") return "Link";
  if (type.endsWith("_debit") || type.endsWith("bank_account")) return m.receipt_method_bank();
  return type.replaceAll("_", " ");
}
