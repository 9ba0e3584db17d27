import type { Language } from "../../../db/shapes/language.ts";
import { CHECKS } from "../../../db/shapes/work/checks.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatUntil } from "../../../locales/format.ts";
import type { DriverNotification } from "../../engine/state/types.ts";
import type { PushMessage } from "../../messaging/push.ts";

type ShiftNotification = Extract<DriverNotification, { kind: "before_shift" }>;
type ShiftContext = { language: Language; productName: string; publicUrl: string };

/** The list that shows everything, where more than one thing needs the driver. */
const LIST_PATH = "/flex/checks";

/** The first need of the driver's next hours as a text message. */
export function shiftText(shift: ShiftNotification, context: ShiftContext): string {
  const { language, productName: product, publicUrl } = context;
  const key = shift.more > 0 ? "text_before_several" : (`text_before_${shift.need}` as const);
  return formatMessage(language, key, {
    product,
    start: startOf(shift, context),
    figure: shift.more + 1,
    url: `${publicUrl}${screenOf(shift)}`,
  });
}

/** The same as a push message. */
export function shiftPush(
  shift: ShiftNotification,
  context: ShiftContext,
): Pick<PushMessage["data"], "title" | "body" | "url" | "tag"> {
  const { language } = context;
  const key = shift.more > 0 ? "push_before_several" : (`push_before_${shift.need}` as const);
  return {
    title: formatMessage(language, "push_before_title", { start: startOf(shift, context) }),
    body: formatMessage(language, key, { figure: shift.more + 1 }),
    url: screenOf(shift),
    tag: "shift",
  };
}

/** The address at which one tap mends it. */
function screenOf({ need, more }: ShiftNotification): string {
  return more > 0 ? LIST_PATH : (CHECKS[need].action ?? LIST_PATH);
}

/** Less than an hour ahead needs no day. */
function startOf({ startsAt, timeZone }: ShiftNotification, { language }: ShiftContext): string {
  return formatUntil(language, startsAt, { timeZone, now: startsAt });
}
