import type { DriverNews } from "../../../db/shapes/driver-news.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { OTHER_CITY } from "../../../db/shapes/money/spots.ts";
import type { EpochMs, DurationMs } from "../../../db/shapes/units.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatUntil, formatMoney, formatServiceTime, formatTime } from "../../../locales/format.ts";
import type { ServiceChange } from "../../../db/shapes/profile.ts";
import { moneyMessage } from "../../../db/shapes/money/money-back.ts";
import type { PushMessage } from "../../messaging/push.ts";

type NewsContext = {
  language: Language;
  timeZone: string;
  now: EpochMs;
  productName: string;
  publicUrl: string;
};

/** News of a spot or a raffle as a text message. */
export function driverNewsText(news: Omit<DriverNews, "source">, context: NewsContext): string {
  const { language, productName: product, publicUrl } = context;
  const url = `${publicUrl}${screenOf(news)}`;
  return formatMessage(language, `text_${news.kind}`, { product, url, ...newsValues(news, context) });
}

/** The same as a push message. */
export function driverNewsPush(
  news: Omit<DriverNews, "source">,
  context: NewsContext,
): Pick<PushMessage["data"], "title" | "body" | "url" | "tag"> {
  const { language } = context;
  return {
    title: formatMessage(language, `push_${news.kind}_title`),
    body: formatMessage(language, `push_${news.kind}`, newsValues(news, context)),
    url: screenOf(news),
    tag: news.kind === "raffle_won" ? `raffle:${news.subject}` : "spot",
  };
}

function screenOf({ kind, subject }: Omit<DriverNews, "source">): string {
  return kind === "raffle_won" ? `/raffle/${subject}` : "/flex/payments";
}

function newsValues({ subject, until }: Omit<DriverNews, "source">, context: NewsContext) {
  const { language } = context;
  return {
    city: subject === OTHER_CITY ? formatMessage(language, "city_other") : subject,
    until: until === null ? "" : formatUntil(language, until, context),
  };
}

/** Events of a payment, or of a renewal: the amount, and its service time. */
export function paymentNews(
  { kind, money, changedMs, chargeAt }: Omit<ServiceChange, "source">,
  { language, ...reading }: { language: Language; timeZone: string; now: EpochMs },
): string {
  const values = {
    ...(money && { money: formatMoney(language, money.cents, money.currency) }),
    ...(chargeAt !== undefined && { when: formatTime(language, chargeAt, reading) }),
    length: formatServiceTime(language, Math.abs(changedMs ?? 0)),
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
      return formatMessage(language, moneyMessage(toMoneyBack(kind, changedMs)).key, values);
    case "refund_failed":
    case "dispute_won":
    case "dispute_opened":
      return formatMessage(language, moneyMessage(toMoneyBack(kind, changedMs)).key, values);
    case "friend_refunded":
      // A share of the free days was taken, or all of them.
      return formatMessage(
        language,
        changedMs === null ? "news_friend_refunded" : "news_friend_refunded_part",
        values,
      );
    case "renewal_on":
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
    case "friend_paid":
    case "inviter_rewarded":
    case "friend_paid_again":
      return formatMessage(language, `news_${kind}`, values);
  }
}

/** A service change as the ledger has it, for the one function that says it. */
function toMoneyBack(
  kind: "refunded" | "disputed" | "refund_failed" | "dispute_won" | "dispute_opened",
  changedMs: DurationMs | null,
): Parameters<typeof moneyMessage>[0] {
  const [takenMs, returnedMs] = [Math.max(0, -(changedMs ?? 0)), Math.max(0, changedMs ?? 0)];
  const isRefund = kind === "refunded" || kind === "refund_failed";
  const state = kind === "dispute_opened" ? "open" : takesMoney(kind) ? "back" : "void";
  return { kind: isRefund ? "refund" : "dispute", state, takenMs, returnedMs };
}

function takesMoney(kind: ServiceChange["kind"]): boolean {
  return kind === "refunded" || kind === "disputed";
}
