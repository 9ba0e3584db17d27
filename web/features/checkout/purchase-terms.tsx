import { useState } from "react";
import type { Quote } from "../../../worker/contract/money/payments.ts";
import { useProductName } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { interpolate } from "../../ui/interpolate.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { formatMoney } from "../language/format.ts";
import { formatPlan } from "../payments/payment-labels.ts";
import { useRenewal } from "../payments/renewal-status.tsx";

/** The price, whether it renews, when money comes back, and the terms. */
export function PurchaseTerms({ quote, renews }: { quote: Quote; renews: boolean }) {
  const product = useProductName();
  const isRenewalOn = useRenewal()?.status === "on";
  return (
    <div className="grid gap-2">
      <p>{whatIsPaid(quote, { renews, isRenewalOn })}</p>
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

function whatIsPaid(
  { plan: key, totalCents, renewalCapCents, currency }: Quote,
  { renews, isRenewalOn }: { renews: boolean; isRenewalOn: boolean },
): string {
  const plan = formatPlan(key);
  const money = formatMoney(totalCents, currency);
  if (renews) return m.renew_terms({ plan, money, cap: formatMoney(renewalCapCents, currency) });
  if (isRenewalOn) return m.renew_stays({ plan });
  return totalCents === 0 ? m.pay_once_points({ plan }) : m.pay_once({ plan, money });
}

/** The same in one line, for the bar on a phone; a tap opens all of it. */
export function PurchaseTermsLink({ quote, renews }: { quote: Quote; renews: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const details = "{details}";
  const isRenewalOn = useRenewal()?.status === "on";
  const shortTerms = () => {
    if (renews)
      return m.renew_terms_short({ cap: formatMoney(quote.renewalCapCents, quote.currency), details });
    return isRenewalOn ? m.renew_stays_short({ details }) : m.pay_once_short({ details });
  };
  return (
    <>
      <p>
        {interpolate(shortTerms(), {
          details: (
            <button
              type="button"
              onClick={() => setOpen(true)}
              className="-my-3 inline-flex min-h-11 items-center text-left text-ink underline underline-offset-2"
            >
              {m.pay_once_details()}
            </button>
          ),
        })}
      </p>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={m.pay_before_you_pay()}>
        <div className="text-base">
          <PurchaseTerms quote={quote} renews={renews} />
        </div>
      </Sheet>
    </>
  );
}
