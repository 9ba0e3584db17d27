import type { Language } from "../../../db/shapes/language.ts";
import type { ServiceChange } from "../../../db/shapes/profile.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import { formatMoney, formatTime, numberFormat } from "../../../locales/format.ts";
import { formatMessage } from "../../../locales/format-message.ts";

/** What happened to a payment, or to a renewal: the amount, and the service time that it is about. */
export function paymentNews(
  { kind, money, changedMs, chargeAt }: Omit<ServiceChange, "source">,
  { language, ...reading }: { language: Language; timeZone: string; now: EpochMs },
): string {
  const values = {
    ...(money && { money: formatMoney(language, money.cents, money.currency) }),
    ...(chargeAt !== undefined && { when: formatTime(language, chargeAt, reading) }),
    length: formatServiceTime(Math.abs(changedMs ?? 0), language),
  };
  switch (kind) {
    case "paid": {
      // Points paid for all of it, or the amount was not stored.
      const isFree = money === null || money.cents === 0;
      return formatMessage(language, isFree ? "news_paid_without_money" : "news_paid", values);
    }
    case "refunded":
    case "disputed":
      if (money === null) return formatMessage(language, `news_${kind}_without_money`);
      return formatMessage(language, changedMs ? `news_${kind}` : `news_${kind}_days_unchanged`, values);
    case "refund_failed":
    case "dispute_won":
      return formatMessage(language, changedMs ? `news_${kind}` : `news_${kind}_days_unchanged`, values);
    case "renewal_ahead":
    case "renewal_over_cap":
    case "renewal_needs_bank":
    case "renewal_declined":
    case "renewal_method_gone":
    case "renewal_plan_gone":
    case "renewal_not_served":
    case "renewal_failed":
    case "renewal_card_disputed":
    case "renewal_untold":
    case "renewal_refunded":
    case "days_kept":
    case "dispute_opened":
    case "friend_paid":
    case "inviter_rewarded":
    case "friend_refunded":
    case "friend_paid_again":
      return formatMessage(language, `news_${kind}`, values);
  }
}

/** `2.5 days`, `3 hours`, `1 minute`: in the largest unit of which there is one. */
function formatServiceTime(lengthMs: DurationMs, language: Language): string {
  const [unit, unitMs] =
    lengthMs >= DAY_MS
      ? (["day", DAY_MS] as const)
      : lengthMs >= HOUR_MS
        ? (["hour", HOUR_MS] as const)
        : (["minute", MINUTE_MS] as const);
  return numberFormat(language, {
    style: "unit",
    unit,
    unitDisplay: "long",
    maximumFractionDigits: 1,
  }).format(Math.max(lengthMs / unitMs, 0.1));
}
