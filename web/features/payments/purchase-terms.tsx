import { useState } from "react";
import type { Quote } from "../../../worker/contract/payments.ts";
import { useProductName } from "../../api/use-config.ts";
import { m } from "../../messages/messages.js";
import { interpolate } from "../../ui/interpolate.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { formatMoney } from "../language/format.ts";
import { formatPlan } from "./payment-labels.ts";

/** What is paid, that nothing renews, when money comes back, and the terms. */
export function PurchaseTerms({ quote }: { quote: Quote }) {
  const product = useProductName();
  const amount =
    quote.totalCents === 0
      ? m.pay_once_points({ plan: formatPlan(quote.plan) })
      : m.pay_once({ plan: formatPlan(quote.plan), money: formatMoney(quote.totalCents, quote.currency) });
  return (
    <div className="grid gap-2">
      <p>{amount}</p>
      <p>{m.pay_refund_policy({ product })}</p>
      <p>
        {interpolate(m.pay_accept_terms({ terms: "{terms}" }), {
          // Another tab: a card that is half typed would be lost.
          terms: (
            <a
              href="/terms"
              target="_blank"
              rel="noreferrer"
              className="text-ink underline underline-offset-2"
            >
              {m.pay_terms_name()}
            </a>
          ),
        })}
      </p>
    </div>
  );
}

/** The same in one line, for the bar on a phone; a tap opens all of it. */
export function PurchaseTermsLink({ quote }: { quote: Quote }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p>
        {interpolate(m.pay_once_short({ details: "{details}" }), {
          details: (
            <button
              type="button"
              onClick={() => setOpen(true)}
              className="-my-2 py-2 text-ink underline underline-offset-2"
            >
              {m.pay_once_details()}
            </button>
          ),
        })}
      </p>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={m.pay_before_you_pay()}>
        <div className="text-base">
          <PurchaseTerms quote={quote} />
        </div>
      </Sheet>
    </>
  );
}
