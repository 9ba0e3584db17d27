import type { PaymentRenewal } from "../../../worker/contract/money/payments.ts";
import type { RenewalTerms } from "../../../worker/contract/money/renewal-link.ts";
import { m } from "../../messages/messages.js";
import { formatMoney } from "../language/format.ts";

/** The words of each version that drivers agreed to, for as long as anybody renews by one. */
const WORDS: Readonly<Record<number, (values: { money: string }) => string>> = {
  1: m.renew_agree_1,
  2: m.renew_agree_2,
  3: m.renew_agree,
};

/** The words that a driver agreed to, as they were then. Words of a later release are named by their number. */
export function formatAgreement({ words, capCents, currency }: RenewalTerms): string {
  const money = formatMoney(capCents, currency);
  return WORDS[words]?.({ money }) ?? m.renew_on_unknown({ money });
}

/** One sentence about the renewal of a payment, and the link that turns it off without signing in. */
export function PaymentRenewalLine({ renewal }: { renewal: PaymentRenewal | null | undefined }) {
  if (!renewal) return null;
  const { status, link, capCents, currency } = renewal;
  if (status === "ended") return <span className="block">{m.renew_line_ended()}</span>;
  const money = formatMoney(capCents, currency);
  return (
    <span className="figures block" data-testid="payment-renewal">
      {status === "paused" ? m.renew_paused() : m.renew_line({ money })}{" "}
      <a
        href={link === null ? "/flex/payments" : `/renewal#${link}`}
        className="inline-flex min-h-11 items-center text-ink underline underline-offset-2"
      >
        {m.renew_line_link()}
      </a>
    </span>
  );
}
