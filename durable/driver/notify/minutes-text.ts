import type { Language } from "../../../db/shapes/language.ts";
import { formatMessage } from "../../../locales/format-message.ts";

/** A length of whole minutes in words: `45 min`, `3 hr`, `2 hr 10 min`. */
export function minutesText(language: Language, count: number): string {
  const [hours, minutes] = [Math.floor(count / 60), count % 60];
  if (hours === 0) return formatMessage(language, "unit_minutes", { minutes });
  return formatMessage(language, minutes === 0 ? "unit_hours" : "unit_hours_minutes", { hours, minutes });
}
