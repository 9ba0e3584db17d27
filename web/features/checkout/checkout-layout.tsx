import type { ReactNode } from "react";
import type { Quote } from "../../../worker/contract/money/payments.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { m } from "../../messages/messages.js";
import { useNow } from "../../ui/use-now.ts";
import { EDGE_BAR_CLASS, useStaysInView } from "../../ui/edge-bar.ts";
import { formatExactMoney, formatUntil } from "../language/format.ts";
import { useUser } from "../session/use-user.ts";
import { formatPlan } from "../payments/payment-labels.ts";
import { PurchaseTerms, PurchaseTermsLink } from "./purchase-terms.tsx";

/**
 * The classes around plans, summary, payment method and pay bar, in this order. On a phone they follow each other, and
 * the pay bar stays in view once the fields are filled; on a desk the method has the left column to itself.
 */
export const CHECKOUT_CLASS =
  "flex flex-col gap-4 lg:grid lg:grid-cols-[minmax(0,1fr)_23rem] lg:grid-rows-[auto_auto_1fr] lg:items-start lg:gap-5";
export const METHOD_CLASS = "card relative grid gap-4 p-4 sm:p-5 lg:col-start-1 lg:row-span-2 lg:row-start-2";

/**
 * The plan, the end of service and the total, with the button that pays: in view wherever the page is scrolled to once the
 * fields are filled, as long as it leaves the page room.
 */
export function PayBar({
  quote,
  isStale,
  renews = false,
  isFilled,
  children,
}: {
  quote: Quote;
  isStale: boolean;
  renews?: boolean;
  /** Until then it stands below the fields: nothing is paid before they are filled. */
  isFilled: boolean;
  /** The button, and what the last try failed with. */
  children: ReactNode;
}) {
  const { humanTimezone: timeZone } = useUser();
  const now = useNow(MINUTE_MS);
  const { ref, staysInView } = useStaysInView();
  return (
    <section
      ref={ref}
      aria-label={m.pay_bar()}
      data-testid="pay-bar"
      className={`asphalt z-10 grid grid-cols-1 gap-2 rounded-card border border-line p-3 shadow-lg sm:p-4 lg:sticky lg:top-(--below-header) lg:col-start-2 lg:row-start-3 lg:p-5 ${isFilled && staysInView ? `pay-bar ${EDGE_BAR_CLASS}` : ""}`}
    >
      <div aria-busy={isStale} className="figures flex flex-wrap items-baseline justify-between gap-x-3">
        <p aria-live="polite" className="text-sm">
          <span className="font-semibold">{formatPlan(quote.plan)}</span>{" "}
          <span className="text-soft">
            {m.service_until({ until: formatUntil(quote.serviceUntil, { timeZone, now }) })}
          </span>
        </p>
        <p className={`text-xl font-semibold transition-opacity ${isStale ? "opacity-55" : ""}`}>
          <span className="sr-only">{m.pay_line_total()} </span>
          <span data-testid="total">{formatExactMoney(quote.totalCents, quote.currency)}</span>
        </p>
      </div>
      {children}
      <div className="text-xs text-soft lg:hidden">
        <PurchaseTermsLink quote={quote} renews={renews} />
      </div>
      <div className="hidden text-sm text-soft lg:block">
        <PurchaseTerms quote={quote} renews={renews} />
      </div>
    </section>
  );
}
