import { LANGUAGE_FACTS } from "../../../db/shapes/language.ts";
import type { OperatorAnnouncements, ErrorsResponse } from "../../../worker/contract/console/voice.ts";
import { m } from "../messages/messages.js";

export const ERROR_STATUS_LABELS = {
  open: m.error_open,
  back: m.error_back,
  resolved: m.error_resolved,
} satisfies Record<ErrorsResponse["errors"][number]["status"], () => string>;

/** For whom an announcement is; nothing where that is not known. */
export function audienceLabel(audience: OperatorAnnouncements["announcements"][number]["audience"]): string {
  if (audience === null) return "";
  switch (audience.kind) {
    case "all":
      return m.audience_all();
    case "city":
      return audience.city;
    case "language":
      return LANGUAGE_FACTS[audience.language].name;
  }
}
