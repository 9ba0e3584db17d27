import type { OperatorAnnouncements } from "../../../worker/contract/console/voice.ts";
import { LANGUAGE_NAMES } from "../forms/language-names.ts";
import { m } from "../messages/messages.js";

/** For whom an announcement is; nothing where that is not known. */
export function audienceLabel(audience: OperatorAnnouncements["announcements"][number]["audience"]): string {
  if (audience === null) return "";
  switch (audience.kind) {
    case "all":
      return m.audience_all();
    case "city":
      return audience.city;
    case "language":
      return LANGUAGE_NAMES[audience.language];
  }
}
