import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import type { ReactNode } from "react";
import { moneyReturned } from "../../../db/shapes/money/money-back.ts";
import type { Receipt } from "../../../worker/contract/money/payments.ts";
import { receiptQuery } from "../../api/queries/payments.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { formatExactMoney, formatLongDate, formatPercent } from "../language/format.ts";
import { returnedLabel } from "../payments/payment-labels.ts";
import { PriceLine, PriceLines, TotalLine } from "../payments/price-lines.tsx";
import { PaymentRenewalLine } from "../payments/renewal-terms.tsx";
import { useUser } from "../session/use-user.ts";

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

/** A receipt as it is printed, with a button that does so; browsers save it as a PDF from there. */
export function ReceiptScreen({ payment }: { payment: string }) {
  const receipt = useSuspenseQuery(receiptQuery(payment)).data;
  const { humanTimezone: timeZone } = useUser();
  return (
    <div className="mx-auto grid max-w-2xl grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        <Link to="/flex/payments" className={buttonClass("quiet", "-ml-4")}>
          {m.receipt_back()}
        </Link>
        <Button variant="primary" onClick={() => print()}>
          <Printer aria-hidden className="size-4" />
          {m.receipt_print()}
        </Button>
      </div>
      <ReceiptPaper receipt={receipt} timeZone={timeZone} />
    </div>
  );
}

/** One receipt on paper. Among others it has a sheet of its own. */
export function ReceiptPaper({
  receipt,
  timeZone,
  isOneOfMany = false,
}: {
  receipt: Receipt;
  timeZone: string;
  isOneOfMany?: boolean;
}) {
  const { seller, driverName, paidAt, number, method, tax, refunds, totalCents, renewal } = receipt;
  const returned = moneyReturned(refunds.map((refund) => ({ ...refund, state: "back" as const })));
  const formatAmount = (cents: number) => formatExactMoney(cents, receipt.currency);
  const [Title, Part] = isOneOfMany ? (["h2", "h3"] as const) : (["h1", "h2"] as const);
  return (
    <article
      className="card grid grid-cols-1 gap-6 p-5 sm:p-8 print:border-0 print:p-0 print:not-last:break-after-page"
      data-testid="receipt"
    >
      <Title className="text-2xl">{m.receipt_title({ number })}</Title>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 print:grid-cols-2">
        <Fact name={m.receipt_seller()}>
          <span className="block font-semibold">{seller.name}</span>
          {seller.address !== null && <span className="block whitespace-pre-line">{seller.address}</span>}
          {seller.taxId !== null && <span className="block">{m.receipt_tax_id({ id: seller.taxId })}</span>}
        </Fact>
        {driverName !== "" && (
          <Fact name={m.receipt_driver()}>
            <span className="font-semibold">{driverName}</span>
          </Fact>
        )}
        <Fact name={m.receipt_date()}>{formatLongDate(paidAt, timeZone)}</Fact>
        {method && <Fact name={m.receipt_method()}>{formatMethod(method)}</Fact>}
      </dl>
      <PriceLines price={receipt}>
        <TotalLine>{formatAmount(totalCents)}</TotalLine>
        {tax && (
          <PriceLine name={m.receipt_tax({ name: tax.name, rate: formatPercent(tax.millionths) })}>
            {formatAmount(tax.cents)}
          </PriceLine>
        )}
      </PriceLines>
      {renewal && <PaymentRenewalLine renewal={renewal} />}
      {returned.lines.length > 0 && (
        <section aria-labelledby={`receipt-refunds-${number}`} className="grid gap-2">
          <Part id={`receipt-refunds-${number}`} className="text-lg">
            {m.receipt_refunds()}
          </Part>
          <dl className="figures grid gap-1.5">
            {returned.lines.map(({ outcome, cents, at }) => (
              <PriceLine
                key={`${outcome} ${at} ${cents}`}
                name={returnedLabel(outcome, formatLongDate(at, timeZone))}
              >
                {formatAmount(-cents)}
              </PriceLine>
            ))}
            <TotalLine name={m.receipt_kept()}>
              {formatAmount(Math.max(0, totalCents - returned.cents))}
            </TotalLine>
            {tax?.keptCents !== undefined && (
              <PriceLine name={m.receipt_tax({ name: tax.name, rate: formatPercent(tax.millionths) })}>
                {formatAmount(tax.keptCents)}
              </PriceLine>
            )}
          </dl>
        </section>
      )}
    </article>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** `Visa ending in 4242`, `Points`; what we have no name for, as Stripe calls it. */
function formatMethod({ type, brand, last4 }: NonNullable<Receipt["method"]>): string {
  if (brand !== null && last4 !== null) return m.receipt_card({ brand: BRANDS[brand] ?? brand, last4 });
  if (type === "points") return m.receipt_method_points();
  if (type === "link") return "Link";
  if (type.endsWith("_debit") || type.endsWith("bank_account")) return m.receipt_method_bank();
  return type.replaceAll("_", " ");
}
