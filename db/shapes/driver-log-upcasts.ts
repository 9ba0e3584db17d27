import { isRecord, type Upcast } from "./versioned.ts";
import { upcastAttemptV0 } from "./attempt-upcasts.ts";

/** A version 0 event contains a version 0 attempt. */
export const upcastLogEventV0: Upcast = (stored) =>
  isRecord(stored) && "attempt" in stored
    ? { ...stored, attempt: upcastAttemptV0(stored["attempt"]) }
    : stored;
