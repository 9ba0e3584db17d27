import { isRecord, type Upcast } from "./versioned.ts";
import { upcastAttemptV0 } from "./attempt-upcasts.ts";

/** Upcasts the attempt inside an event. */
export const upcastLogEventV0: Upcast = (stored) =>
  isRecord(stored) && "attempt" in stored
    ? { ...stored, attempt: upcastAttemptV0(stored["attempt"]) }
    : stored;
