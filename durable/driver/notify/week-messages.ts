import type { Language } from "../../../db/shapes/language.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatHours, formatMoney } from "../../../locales/format.ts";
import type { DriverNotification } from "../../engine/types.ts";
import type { PushMessage } from "../../push/push.ts";

type WeekNotification = Extract<DriverNotification, { kind: "week" }>;
type WeekContext = { language: Language; productName: string; publicUrl: string };

/** The driver's week as a text message. */
export function weekText(week: WeekNotification, context: WeekContext): string {
  const { language, productName: product, publicUrl } = context;
  const key = week.beforeCents > 0 ? "text_week" : "text_week_first";
  return formatMessage(language, key, {
    product,
    ...valuesOf(week, language),
    url: `${publicUrl}${screenOf(week)}`,
  });
}

/** The same as a push message. */
export function weekPush(
  week: WeekNotification,
  { language }: WeekContext,
): Pick<PushMessage["data"], "title" | "body" | "url" | "tag"> {
  return {
    title: formatMessage(language, "push_week_title"),
    body: formatMessage(
      language,
      week.beforeCents > 0 ? "push_week" : "push_week_first",
      valuesOf(week, language),
    ),
    url: screenOf(week),
    tag: "week",
  };
}

function screenOf({ monday }: WeekNotification): string {
  return `/flex/week?date=${monday}`;
}

function valuesOf(
  { figures: { captured, worked }, beforeCents, currency }: WeekNotification,
  language: Language,
) {
  const money = (cents: number) => formatMoney(language, cents, currency);
  const hourly =
    worked.minutes === 0 ? 0 : Math.round((worked.payCents * HOUR_MS) / (worked.minutes * MINUTE_MS));
  return {
    captured: captured.blocks,
    worked: worked.blocks,
    hours: formatHours(language, worked.minutes),
    pay: money(worked.payCents),
    hourly: money(hourly),
    before: money(beforeCents),
  };
}
