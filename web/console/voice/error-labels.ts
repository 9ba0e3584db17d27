import type { ErrorsResponse } from "../../../worker/contract/console/voice.ts";
import { m } from "../messages/messages.js";

export const ERROR_STATUS_LABELS = {
  open: m.error_open,
  back: m.error_back,
  resolved: m.error_resolved,
} satisfies Record<ErrorsResponse["errors"][number]["status"], () => string>;
