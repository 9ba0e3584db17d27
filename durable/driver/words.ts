import type { Language } from "../../worker/contract/user.ts";
import { say } from "../../locales/say.ts";
import type { Block, DriverState, Notice } from "../engine/types.ts";
import { HOUR_MS, type EpochMs } from "../engine/units.ts";
import type { PushMessage } from "../push/push.ts";
import { eventOf } from "./ways.ts";

/** The same tags as the page's, so that a text and a screen write an amount alike. */
const TAGS = { en: "en-US", es: "es-US", pt: "pt-BR" } as const satisfies Record<Language, string>;

/** A capture is news for an hour; what needs the driver, for a day. */
const CAPTURE_TTL_SECONDS = 3600;
const NEED_TTL_SECONDS = 24 * 3600;

type Telling = {
  language: Language;
  timeZone: string;
  state: DriverState;
  productName: string;
  publicUrl: string;
};

/** The text that tells a driver of a notice, in their language, in the warehouse's own time. */
export function wordsFor(notice: Notice, telling: Telling): string {
  const { language, productName: product, publicUrl: url } = telling;
  switch (notice.kind) {
    case "captured":
      return say(language, "text_captured", { product, ...figuresOf(notice.block, telling) });
    case "needs_link":
      return say(language, "text_needs_link", { product, url });
    case "verification_required":
      return say(language, "text_verification_required", { product, url });
    case "no_service":
      return say(language, notice.waitingForSpot ? "text_waiting_for_spot" : "text_no_service", {
        product,
        url,
      });
    case "service_ending": {
      const key = notice.leftMs > HOUR_MS ? "text_service_ends_day" : "text_service_ends_hour";
      return say(language, key, { product, time: sayInstant(notice.endsAt, telling), url });
    }
    case "service_changed": {
      if (notice.until === null) return say(language, `text_${notice.change}_none`, { product, url });
      const time = sayInstant(notice.until, telling);
      return say(language, `text_${notice.change}`, { product, url, time });
    }
    case "silence_suspected":
      return say(language, "text_silence_suspected", { product });
  }
}

/** The same for a browser: a title, a line, and the screen that a tap opens. */
export function browserWordsFor(notice: Notice, telling: Telling): PushMessage {
  const { language } = telling;
  const event = eventOf(notice);
  const isUrgent = event === "captured" || event === "needs_you";
  return {
    data: { ...show(), event },
    ttlSeconds: event === "captured" ? CAPTURE_TTL_SECONDS : NEED_TTL_SECONDS,
    urgency: isUrgent ? "high" : "normal",
  };

  // A tag names what is told: a later word on the same thing takes the place of the earlier one.
  function show(): Pick<PushMessage["data"], "title" | "body" | "url" | "tag"> {
    switch (notice.kind) {
      case "captured":
        return {
          title: say(language, "push_captured_title"),
          body: say(language, "push_captured", figuresOf(notice.block, telling)),
          url: "/flex/blocks",
          tag: `captured:${notice.block.blockId}`,
        };
      case "needs_link":
        return {
          title: say(language, "push_needs_link_title"),
          body: say(language, "push_needs_link"),
          url: "/flex/login",
          tag: "work",
        };
      case "verification_required":
        return {
          title: say(language, "push_verification_required_title"),
          body: say(language, "push_verification_required"),
          url: "/flex/dashboard",
          tag: "work",
        };
      case "no_service":
        return notice.waitingForSpot
          ? {
              title: say(language, "push_waiting_for_spot_title"),
              body: say(language, "push_waiting_for_spot"),
              url: "/flex/dashboard",
              tag: "service",
            }
          : {
              title: say(language, "push_no_service_title"),
              body: say(language, "push_no_service"),
              url: "/flex/payments",
              tag: "service",
            };
      case "service_ending":
        return {
          title: say(language, "push_service_ends_title"),
          body: say(language, "push_service_ends", { time: sayInstant(notice.endsAt, telling) }),
          url: "/flex/payments",
          tag: "service",
        };
      case "service_changed":
        return {
          title: say(language, `push_${notice.change}_title`),
          body:
            notice.until === null
              ? say(language, "push_service_none")
              : say(language, "push_service_until", { time: sayInstant(notice.until, telling) }),
          url: "/flex/payments",
          tag: "service",
        };
      case "silence_suspected":
        return {
          title: say(language, "push_silence_suspected_title"),
          body: say(language, "push_silence_suspected"),
          url: "/flex/dashboard",
          tag: "silence",
        };
    }
  }
}

/** A block's figures, as a driver reads them. */
function figuresOf(block: Block, { language, state }: Telling) {
  const warehouse = state.warehouses.find((known) => known.warehouseId === block.warehouseId);
  return {
    where: warehouse?.name ?? say(language, "warehouse_unnamed"),
    start: new Intl.DateTimeFormat(TAGS[language], {
      weekday: "short",
      hour: "numeric",
      minute: "2-digit",
      timeZone: warehouse?.timeZone ?? "UTC",
    }).format(block.startsAt),
    pay: new Intl.NumberFormat(TAGS[language], {
      style: "currency",
      currency: block.currency,
      trailingZeroDisplay: "stripIfInteger",
    }).format(block.payCents / 100),
    hours: new Intl.NumberFormat(TAGS[language], { maximumFractionDigits: 1 }).format(
      (block.endsAt - block.startsAt) / 3_600_000,
    ),
  };
}

/** `Nov 22, 4:30 PM`, by the driver's own clock. */
function sayInstant(at: EpochMs, { language, timeZone }: Telling): string {
  return new Intl.DateTimeFormat(TAGS[language], {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone,
  }).format(at);
}
