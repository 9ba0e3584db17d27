import { ANNOUNCEMENT_TAG } from "../../../db/shapes/announcement.ts";
import { textIn, type Language } from "../../../db/shapes/language.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatUntil } from "../../../locales/format.ts";
import type { DriverState, DriverNotification } from "../../engine/state/types.ts";
import { paymentOfSource } from "../../../db/shapes/money/ledger-source.ts";
import type { ServiceChange, ServiceChangeKind } from "../../../db/shapes/profile.ts";
import { HOUR_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { possibleNow } from "../../../db/shapes/work/possible-now.ts";
import { isLinked } from "../../engine/link.ts";
import type { PushMessage } from "../../messaging/push.ts";
import { blockValues, withoutAccents } from "./block-values.ts";
import { notificationEventOf } from "./channels.ts";
import { driverNewsPush, driverNewsText, paymentNews } from "./driver-news.ts";
import { lostDayPush, lostDayText } from "./lost-day-messages.ts";
import { askedText, questionPush } from "./question-messages.ts";
import { shiftPush, shiftText } from "./shift-messages.ts";
import { weekPush, weekText } from "./week-messages.ts";

/** A capture is worth showing for an hour, everything else for a day. */
const CAPTURE_TTL_SECONDS = 3600;
const DEFAULT_TTL_SECONDS = 24 * 3600;

/** The page that buys the last plan again with the saved card; without one, it is the ordinary form. */
const SAME_AGAIN_PATH = "/flex/payments?again=1";

/** Where an account is linked, and where drivers handle the rest. A link goes through signing in and back. */
const LINK_PATH = "/flex/login";
const HOME_PATH = "/flex/dashboard";

type MessageContext = {
  language: Language;
  timeZone: string;
  now: EpochMs;
  state: DriverState;
  productName: string;
  publicUrl: string;
};

/** The notifications that are worth a text. */
export type TextNotification = Exclude<DriverNotification, { kind: "questions_limited" | "offers_told" }>;

export function isTexted(notification: DriverNotification): notification is TextNotification {
  return notification.kind !== "questions_limited" && notification.kind !== "offers_told";
}

/** A notification as a text message: in the driver's language, with block times in the warehouse's time zone. */
export function textMessageFor(notification: TextNotification, context: MessageContext): string {
  const { language, productName: product, publicUrl: url } = context;
  switch (notification.kind) {
    case "captured": {
      const { start, ...values } = blockValues(notification.block, notification.place, context);
      return formatMessage(language, "text_captured", {
        product,
        ...values,
        start: withoutAccents(start),
        url: `${url}${HOME_PATH}`,
      });
    }
    case "probably_captured": {
      const { start, ...values } = blockValues(notification.offer, notification.place, context);
      return formatMessage(language, "text_probably_captured", {
        product,
        ...values,
        start: withoutAccents(start),
      });
    }
    case "asked":
      return askedText(notification.question, context);
    case "unreadable":
      return formatMessage(language, "text_unreadable", { product });
    case "needs_link":
      return formatMessage(language, "text_needs_link", { product, url: `${url}${LINK_PATH}` });
    case "verification_required":
      return formatMessage(language, "text_verification_required", { product, url: `${url}${HOME_PATH}` });
    case "no_service":
      return formatMessage(
        language,
        notification.waitingForSpot ? "text_waiting_for_spot" : "text_no_service",
        {
          product,
          url: `${url}${notification.waitingForSpot ? HOME_PATH : SAME_AGAIN_PATH}`,
        },
      );
    case "service_ending": {
      if (mustLinkFirst(context))
        return formatMessage(language, "text_service_ends_unlinked", {
          product,
          until: plainUntil(notification.endsAt, context),
          url: `${url}${LINK_PATH}`,
        });
      const key = notification.remainingMs > HOUR_MS ? "text_service_ends_day" : "text_service_ends_hour";
      return formatMessage(language, key, {
        product,
        until: plainUntil(notification.endsAt, context),
        url: `${url}${SAME_AGAIN_PATH}`,
      });
    }
    case "service_changed": {
      const news = paymentNews(notification.change, context);
      const renewal = renewalTextOf(notification.change);
      if (renewal)
        return formatMessage(language, renewal.key, { product, news, url: `${url}${renewal.path}` });
      const receipt = receiptPath(notification.change);
      if (receipt !== null && notification.until !== null) {
        const until = plainUntil(notification.until, context);
        return formatMessage(language, "text_paid", { product, news, until, url: `${url}${receipt}` });
      }
      const service = serviceLeft(notification.until, context);
      const text = formatMessage(language, "text_service_changed", { product, news, service });
      return notification.until === null ? `${text} ${url}${screenOf(notification.change)}` : text;
    }
    case "news":
      return driverNewsText(notification.news, context);
    case "announcement":
      return textIn(notification.announcement.text, language);
    case "silence_suspected":
      return formatMessage(language, "text_silence_suspected", { product });
    case "weekly_limit":
      return formatMessage(language, "text_weekly_limit", {
        product,
        until: plainUntil(notification.until, context),
      });
    case "long_wait":
      return formatMessage(language, "text_long_wait", {
        product,
        until: plainUntil(notification.until, context),
      });
    case "before_shift":
      return shiftText(notification, context);
    case "week":
      return weekText(notification, context);
    case "lost_day":
      return lostDayText(notification, context);
    case "give_back_ahead": {
      const key = notification.others > 0 ? "text_give_back_others" : "text_give_back";
      const { start, until, ...values } = giveBackValues(notification, context);
      return formatMessage(language, key, {
        product,
        ...values,
        start: withoutAccents(start),
        until: withoutAccents(until),
        url: `${url}${HOME_PATH}`,
      });
    }
  }
}

/** Whether more days would be of no use before an account is linked. */
function mustLinkFirst({ state, now }: MessageContext): boolean {
  return possibleNow({ phase: state.phase, isLinked: isLinked(state) }, now).mustLink;
}

/** An end without the accents that GSM's alphabet lacks: one in a weekday's name would double the text's price. */
function plainUntil(at: EpochMs, context: MessageContext): string {
  return withoutAccents(formatUntil(context.language, at, context));
}

/** A notification as a push message: a title, one line, and the screen that a tap opens. */
export function pushMessageFor(notification: DriverNotification, context: MessageContext): PushMessage {
  const { language } = context;
  if (
    notification.kind === "asked" ||
    notification.kind === "questions_limited" ||
    notification.kind === "offers_told"
  )
    return questionPush(notification, context);
  const event = notificationEventOf(notification);
  const overAt = overAtOf(notification);
  const isUrgent = event === "captured" || event === "needs_you" || overAt !== null;
  const ttlSeconds = event === "captured" ? CAPTURE_TTL_SECONDS : DEFAULT_TTL_SECONDS;
  return {
    data: { ...contentOf(notification), event },
    ttlSeconds: overAt === null ? ttlSeconds : Math.max(0, Math.ceil((overAt - context.now) / 1000)),
    urgency: isUrgent ? "high" : "normal",
  };

  // A later message with the same tag replaces the earlier one.
  function contentOf(
    notification: Exclude<TextNotification, { kind: "asked" }>,
  ): Pick<PushMessage["data"], "title" | "body" | "url" | "tag"> {
    switch (notification.kind) {
      case "captured":
        return {
          title: formatMessage(language, "push_captured_title"),
          body: formatMessage(
            language,
            "push_captured",
            blockValues(notification.block, notification.place, context),
          ),
          url: "/flex/blocks",
          // As of the block that was probably captured, which this one confirms.
          tag: `captured:${notification.block.offerId ?? notification.block.blockId}`,
        };
      case "probably_captured":
        return {
          title: formatMessage(language, "push_probably_captured_title"),
          body: formatMessage(
            language,
            "push_probably_captured",
            blockValues(notification.offer, notification.place, context),
          ),
          url: "/flex/blocks",
          tag: `captured:${notification.offer.offerId}`,
        };
      case "unreadable":
        return {
          title: formatMessage(language, "push_unreadable_title"),
          body: formatMessage(language, "push_unreadable"),
          url: HOME_PATH,
          tag: "work",
        };
      case "needs_link":
        return {
          title: formatMessage(language, "push_needs_link_title"),
          body: formatMessage(language, "push_needs_link"),
          url: LINK_PATH,
          tag: "work",
        };
      case "verification_required":
        return {
          title: formatMessage(language, "push_verification_required_title"),
          body: formatMessage(language, "push_verification_required"),
          url: HOME_PATH,
          tag: "work",
        };
      case "no_service":
        return notification.waitingForSpot
          ? {
              title: formatMessage(language, "push_waiting_for_spot_title"),
              body: formatMessage(language, "push_waiting_for_spot"),
              url: HOME_PATH,
              tag: "service",
            }
          : {
              title: formatMessage(language, "push_no_service_title"),
              body: formatMessage(language, "push_no_service"),
              url: SAME_AGAIN_PATH,
              tag: "service",
            };
      case "service_ending":
        return {
          title: formatMessage(language, "push_service_ends_title"),
          body: formatMessage(
            language,
            mustLinkFirst(context) ? "push_service_ends_unlinked" : "push_service_ends",
            { until: formatUntil(language, notification.endsAt, context) },
          ),
          url: mustLinkFirst(context) ? LINK_PATH : SAME_AGAIN_PATH,
          tag: "service",
        };
      case "service_changed":
        return {
          title: serviceChangeTitle(notification.change.kind, language),
          body: `${paymentNews(notification.change, context)} ${serviceLeft(notification.until, context)}`,
          url: screenOf(notification.change),
          tag: notification.change.kind === "renewal_ahead" ? notification.change.source : "service",
        };
      case "news":
        return driverNewsPush(notification.news, context);
      case "announcement":
        return {
          title: context.productName,
          body: textIn(notification.announcement.text, language),
          url: HOME_PATH,
          tag: `${ANNOUNCEMENT_TAG}${notification.announcement.id}`,
        };
      case "silence_suspected":
        return {
          title: formatMessage(language, "push_silence_suspected_title"),
          body: formatMessage(language, "push_silence_suspected"),
          url: HOME_PATH,
          tag: "silence",
        };
      case "weekly_limit":
        return {
          title: formatMessage(language, "push_weekly_limit_title"),
          body: formatMessage(language, "push_weekly_limit", {
            until: formatUntil(language, notification.until, context),
          }),
          url: HOME_PATH,
          tag: "silence",
        };
      case "long_wait":
        return {
          title: formatMessage(language, "push_long_wait_title"),
          body: formatMessage(language, "push_long_wait", {
            until: formatUntil(language, notification.until, context),
          }),
          url: HOME_PATH,
          tag: "work",
        };
      case "before_shift":
        return shiftPush(notification, context);
      case "week":
        return weekPush(notification, context);
      case "lost_day":
        return lostDayPush(notification, context);
      case "give_back_ahead":
        return {
          title: formatMessage(language, "push_give_back_title"),
          body: formatMessage(
            language,
            notification.others > 0 ? "push_give_back_others" : "push_give_back",
            giveBackValues(notification, context),
          ),
          url: HOME_PATH,
          tag: `give_back:${notification.block.blockId}`,
        };
    }
  }
}

/** When a reminder is of no use any more; null for what is none. */
function overAtOf(notification: DriverNotification): EpochMs | null {
  if (notification.kind === "give_back_ahead") return notification.until;
  return notification.kind === "before_shift" ? notification.startsAt : null;
}

/** Where a service change is shown. */
function screenOf(change: ServiceChange): string {
  const { kind } = change;
  const isOfFriend = kind === "friend_paid" || kind === "friend_refunded" || kind === "friend_paid_again";
  if (isOfFriend) return "/flex/invitations";
  return renewalTextOf(change)?.path ?? receiptPath(change) ?? "/flex/payments";
}

/** The page of a payment's receipt; null for a change that has none of its own. */
function receiptPath({ kind, source }: ServiceChange): string | null {
  const paymentId = kind === "paid" ? paymentOfSource(source) : null;
  return paymentId === null ? null : `/flex/receipts/${paymentId}`;
}

/** The fields of a reminder: its last minute is read on the same clock as the block's start. */
function giveBackValues(
  { block, until, others }: Extract<DriverNotification, { kind: "give_back_ahead" }>,
  context: MessageContext,
) {
  const { language, state, now, timeZone } = context;
  const known = state.warehouses.find(({ warehouseId }) => warehouseId === block.warehouseId);
  return {
    ...blockValues(block, null, context),
    until: formatUntil(language, until, { timeZone: known?.timeZone ?? timeZone, now }),
    figure: others,
  };
}

/** The text around what is said of a renewal, and the page that its link opens; null for what is about none. */
function renewalTextOf({ kind, link }: ServiceChange) {
  if (kind === "renewal_on") {
    // The fragment reaches no server, so the token is in no log.
    return {
      key: "text_renewal_on",
      path: link === undefined ? "/flex/payments" : `/renewal#${link}`,
    } as const;
  }
  if (kind === "renewal_ahead") return { key: "text_renewal_ahead", path: "/flex/payments" } as const;
  if (!kind.startsWith("renewal_")) return null;
  return { key: "text_renewal_paused", path: SAME_AGAIN_PATH } as const;
}

function serviceChangeTitle(kind: ServiceChangeKind, language: Language): string {
  switch (kind) {
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
      return formatMessage(language, "push_renewal_paused_title");
    default:
      return formatMessage(language, `push_${kind}_title`);
  }
}

/** `You have service until Nov 22, 4:30 PM.` */
function serviceLeft(until: EpochMs | null, context: MessageContext): string {
  const { language } = context;
  if (until === null) return formatMessage(language, "push_service_none");
  return formatMessage(language, "push_service_until", { until: formatUntil(language, until, context) });
}
