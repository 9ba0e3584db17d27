import type { receiptMethod } from "../../../worker/contract/money/payments.ts";
import type * as z from "zod/mini";
import { m } from "../../messages/messages.js";

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
