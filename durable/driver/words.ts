import type { Language } from "../../worker/contract/user.ts";
import { say } from "../../locales/say.ts";
import type { DriverState, Notice } from "../engine/types.ts";

/** The same tags as the page's, so that a text and a screen write an amount alike. */
const TAGS = { en: "en-US", es: "es-US", pt: "pt-BR" } as const satisfies Record<Language, string>;

/** The text that tells a driver of a notice, in their language, in the warehouse's own time. */
export function wordsFor(
  notice: Notice,
  {
    language,
    state,
    productName,
    publicUrl,
  }: { language: Language; state: DriverState; productName: string; publicUrl: string },
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
    case "silence_suspected":
      return say(language, "text_silence_suspected", { product: productName });
  }
}
