import type { ReactNode } from "react";
import type { PriceFigures } from "../../../db/shapes/plans.ts";
import { m } from "../../messages/messages.js";
import { formatCount, formatExactMoney } from "../language/format.ts";
import { DISCOUNT_LABELS, formatPlan } from "./payment-labels.ts";

/** The lines and total of a quote or a payment. */
export function PriceReceipt({ price, isStale = false }: { price: PriceFigures; isStale?: boolean }) {
  const formatAmount = (cents: number) => formatExactMoney(cents, price.currency);
  return (
    <dl
      aria-busy={isStale}
      className={`figures grid gap-1.5 transition-opacity ${isStale ? "opacity-55" : ""}`}
    >
      <Line name={m.pay_line_plan({ plan: formatPlan(price.plan) })}>{formatAmount(price.priceCents)}</Line>
      {price.discountKind && (
        <Line name={DISCOUNT_LABELS[price.discountKind]()} isDiscount>
          {formatAmount(-price.discountCents)}
        </Line>
      )}
      {price.points > 0 && (
        <Line name={m.pay_line_points({ points: formatCount(price.points) })} isDiscount>
          {formatAmount(-price.pointsCents)}
        </Line>
      )}
      <Line name={m.pay_line_fee()}>{formatAmount(price.feeCents)}</Line>
      <div className="mt-1 flex items-baseline justify-between gap-3 border-t-2 border-dashed border-line pt-2.5 text-lg font-semibold">
        <dt>{m.pay_line_total()}</dt>
        <dd data-testid="total">{formatAmount(price.totalCents)}</dd>
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
