import { isRecord, type Upcast } from "./versioned.ts";
import { upcastAttemptV0 } from "./attempt-upcasts.ts";

/** The attempt inside of an event is one of version 0. */
export const upcastLogEventV0: Upcast = (stored) =>
  isRecord(stored) && "attempt" in stored
    ? { ...stored, attempt: upcastAttemptV0(stored["attempt"]) }
    : stored;
