import type { Language } from "../../worker/contract/user.ts";
import { say } from "../../locales/say.ts";
import type { DriverState, Notice } from "../engine/types.ts";
import { HOUR_MS, type EpochMs } from "../engine/units.ts";

/** The same tags as the page's, so that a text and a screen write an amount alike. */
const TAGS = { en: "en-US", es: "es-US", pt: "pt-BR" } as const satisfies Record<Language, string>;

/** The text that tells a driver of a notice, in their language, in the warehouse's own time. */
export function wordsFor(
  notice: Notice,
  {
    language,
    timeZone,
    state,
    productName,
    publicUrl,
  }: { language: Language; timeZone: string; state: DriverState; productName: string; publicUrl: string },
): string {
  switch (notice.kind) {
    case "captured": {
      const { block } = notice;
      const warehouse = state.warehouses.find((known) => known.warehouseId === block.warehouseId);
      const start = new Intl.DateTimeFormat(TAGS[language], {
        weekday: "short",
        hour: "numeric",
        minute: "2-digit",
        timeZone: warehouse?.timeZone ?? "UTC",
      }).format(block.startsAt);
      const pay = new Intl.NumberFormat(TAGS[language], {
        style: "currency",
        currency: block.currency,
      }).format(block.payCents / 100);
      const hours = new Intl.NumberFormat(TAGS[language], { maximumFractionDigits: 1 }).format(
        (block.endsAt - block.startsAt) / 3_600_000,
      );
      const where = warehouse?.name ?? say(language, "warehouse_unnamed");
      return say(language, "text_captured", { product: productName, where, start, hours, pay });
    }
    case "needs_link":
      return say(language, "text_needs_link", { product: productName, url: publicUrl });
    case "verification_required":
      return say(language, "text_verification_required", { product: productName, url: publicUrl });
    case "no_service":
      return say(language, notice.waitingForSpot ? "text_waiting_for_spot" : "text_no_service", {
        product: productName,
        url: publicUrl,
      });
    case "service_ending": {
      const key = notice.leftMs > HOUR_MS ? "text_service_ends_day" : "text_service_ends_hour";
      const time = sayInstant(notice.endsAt, { language, timeZone });
      return say(language, key, { product: productName, time, url: publicUrl });
    }
    case "service_changed": {
      const values = { product: productName, url: publicUrl };
      if (notice.until === null) return say(language, `text_${notice.change}_none`, values);
      const time = sayInstant(notice.until, { language, timeZone });
      return say(language, `text_${notice.change}`, { ...values, time });
    }
    case "silence_suspected":
      return say(language, "text_silence_suspected", { product: productName });
  }
}

function sayInstant(at: EpochMs, { language, timeZone }: { language: Language; timeZone: string }): string {
  return new Intl.DateTimeFormat(TAGS[language], {
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    timeZone,
  }).format(at);
}
