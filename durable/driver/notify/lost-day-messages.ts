import type { Language } from "../../../db/shapes/language.ts";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatDate } from "../../../locales/format.ts";
import type { DriverNotification } from "../../engine/state/types.ts";
import type { PushMessage } from "../../messaging/push.ts";
import { withoutAccents } from "./block-values.ts";
import { minutesText } from "./week-messages.ts";

type LostDayNotification = Extract<DriverNotification, { kind: "lost_day" }>;

/** The page that lists such days. */
const PATH = "/flex/payments";

/** A day for which service was given back, as a text message. */
export function lostDayText(
  day: LostDayNotification,
  {
    language,
    productName: product,
    publicUrl,
  }: { language: Language; productName: string; publicUrl: string },
): string {
  const values = valuesOf(day, language);
  return formatMessage(language, "text_lost_day", {
    product,
    ...values,
    day: withoutAccents(values.day),
    url: `${publicUrl}${PATH}`,
  });
}

/** The same as a push message. */
export function lostDayPush(
  day: LostDayNotification,
  { language }: { language: Language },
): Pick<PushMessage["data"], "title" | "body" | "url" | "tag"> {
  return {
    title: formatMessage(language, "push_lost_day_title"),
    body: formatMessage(language, "push_lost_day", valuesOf(day, language)),
    url: PATH,
    tag: `lost_day:${day.date}`,
  };
}

function valuesOf({ date, lostMs, givenMs }: LostDayNotification, language: Language) {
  return {
    day: formatDate(language, dayOfDate(date) * DAY_MS, "UTC"),
    length: minutesText(language, Math.floor(lostMs / MINUTE_MS)),
    given: minutesText(language, Math.floor(givenMs / MINUTE_MS)),
  };
}
