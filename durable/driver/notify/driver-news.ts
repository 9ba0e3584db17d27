import type { DriverNews } from "../../../db/shapes/driver-news.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { OTHER_CITY } from "../../../db/shapes/money/spots.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatUntil } from "../../../locales/format.ts";
import type { PushMessage } from "../../push/push.ts";

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
