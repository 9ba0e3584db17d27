import type { ReactNode } from "react";
import type { Payment } from "../../../worker/contract/payments.ts";
import { m } from "../../messages/messages.js";
import { formatCount, formatExactMoney } from "../language/format.ts";
import { DISCOUNT_LABELS, formatPlan } from "./payment-labels.ts";

/** What makes up a total; a quote and a payment have the same parts. */
export type PriceParts = Pick<
  Payment,
  | "plan"
  | "currency"
  | "priceCents"
  | "discountKind"
  | "discountCents"
  | "points"
  | "pointsCents"
  | "feeCents"
  | "totalCents"
>;

/** A total and what makes it up, as a receipt. */
export function PriceReceipt({ parts, isStale = false }: { parts: PriceParts; isStale?: boolean }) {
  const formatAmount = (cents: number) => formatExactMoney(cents, parts.currency);
  return (
    <dl
      aria-busy={isStale}
      className={`figures grid gap-1.5 transition-opacity ${isStale ? "opacity-55" : ""}`}
    >
      <Line name={m.pay_line_plan({ plan: formatPlan(parts.plan) })}>{formatAmount(parts.priceCents)}</Line>
      {parts.discountKind && (
        <Line name={DISCOUNT_LABELS[parts.discountKind]()} isDiscount>
          {formatAmount(-parts.discountCents)}
        </Line>
      )}
      {parts.points > 0 && (
        <Line name={m.pay_line_points({ points: formatCount(parts.points) })} isDiscount>
          {formatAmount(-parts.pointsCents)}
        </Line>
      )}
      <Line name={m.pay_line_fee()}>{formatAmount(parts.feeCents)}</Line>
      <div className="mt-1 flex items-baseline justify-between gap-3 border-t-2 border-dashed border-line pt-2.5 text-lg font-semibold">
        <dt>{m.pay_line_total()}</dt>
        <dd data-testid="total">{formatAmount(parts.totalCents)}</dd>
      </div>
    </dl>
  );
}

function Line({
  name,
  children,
  isDiscount = false,
}: {
  name: string;
  children: ReactNode;
  isDiscount?: boolean;
}) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className={isDiscount ? "text-good" : ""}>{children}</dd>
    </div>
  );
}
