import { Info } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import type { PriceFigures, ShownPlan } from "../../../db/shapes/money/plans.ts";
import { m } from "../../messages/messages.js";
import { formatCount, formatExactMoney, formatPercent } from "../language/format.ts";
import { DISCOUNT_LABELS, formatPlan } from "./payment-labels.ts";
import { Link } from "@tanstack/react-router";
import type { Payment } from "../../../worker/contract/money/payments.ts";
import { buttonClass } from "../../ui/button.tsx";

/** The parts of a total: plan, discount, points and fee. With `feeMillionths` a tap says what the fee is. */
export function PriceLines({
  price,
  feeMillionths,
  isStale = false,
  children,
}: {
  price: Omit<PriceFigures, "plan"> & { plan: ShownPlan };
  feeMillionths?: number;
  isStale?: boolean;
  /** The lines below. */
  children?: ReactNode;
}) {
  const [isFeeOpen, setFeeOpen] = useState(false);
  const feeTextId = useId();
  const formatAmount = (cents: number) => formatExactMoney(cents, price.currency);
  const fee =
    feeMillionths === undefined ? (
      m.pay_line_fee()
    ) : (
      <button
        type="button"
        aria-expanded={isFeeOpen}
        aria-controls={feeTextId}
        onClick={() => setFeeOpen(!isFeeOpen)}
        className="-my-3 inline-flex min-h-11 items-center gap-1.5 text-left underline decoration-dotted underline-offset-4"
      >
        {m.pay_line_fee()}
        <Info aria-hidden className="size-4" />
      </button>
    );
  return (
    <>
      <dl
        aria-busy={isStale}
        className={`figures grid grid-cols-1 gap-1.5 transition-opacity ${isStale ? "opacity-55" : ""}`}
      >
        <PriceLine name={m.pay_line_plan({ plan: formatPlan(price.plan) })}>
          {formatAmount(price.priceCents)}
        </PriceLine>
        {price.discountKind && (
          <PriceLine name={DISCOUNT_LABELS[price.discountKind]()} isDiscount>
            {formatAmount(-price.discountCents)}
          </PriceLine>
        )}
        {price.points > 0 && (
          <PriceLine name={m.pay_line_points({ points: formatCount(price.points) })} isDiscount>
            {formatAmount(-price.pointsCents)}
          </PriceLine>
        )}
        <PriceLine name={fee}>{formatAmount(price.feeCents)}</PriceLine>
        {children}
      </dl>
      {feeMillionths !== undefined && (
        <p id={feeTextId} hidden={!isFeeOpen} className="text-sm text-soft">
          {m.pay_fee_text({ rate: formatPercent(feeMillionths) })}
        </p>
      )}
    </>
  );
}

/** One line: a name and an amount. */
export function PriceLine({
  name,
  children,
  isDiscount = false,
}: {
  name: ReactNode;
  children: ReactNode;
  isDiscount?: boolean;
}) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-3">
      <dt className="min-w-0 text-soft">{name}</dt>
      <dd className={`ml-auto ${isDiscount ? "text-good" : ""}`}>{children}</dd>
    </div>
  );
}

/** The line that the others add up to. */
export function TotalLine({ name = m.pay_line_total(), children }: { name?: string; children: ReactNode }) {
  return (
    <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-3 border-t-2 border-dashed border-line pt-2.5 text-lg font-semibold">
      <dt>{name}</dt>
      <dd className="ml-auto">{children}</dd>
    </div>
  );
}

/** Opens a payment's receipt, if it has one. */
export function ReceiptLink({ payment }: { payment: Pick<Payment, "id" | "receiptNumber"> }) {
  if (payment.receiptNumber === null) return null;
  return (
    <Link to="/flex/receipts/$payment" params={{ payment: payment.id }} className={buttonClass("plain")}>
      {m.pay_receipt_open()}
    </Link>
  );
}
