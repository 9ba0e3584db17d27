import { isRecord, type Upcast } from "../versioned.ts";
import { upcastAttemptV0, upcastAttemptV1, upcastAttemptV2 } from "./attempt-upcasts.ts";

/** A version 0 event contains a version 0 attempt. */
export const upcastLogEventV0: Upcast = (stored) => upcastAttemptOf(stored, upcastAttemptV0);

/** A version 1 event contains a version 1 attempt. */
export const upcastLogEventV1: Upcast = (stored) => upcastAttemptOf(stored, upcastAttemptV1);

/** A version 3 event contains a version 2 attempt. */
export const upcastLogEventV3: Upcast = (stored) => upcastAttemptOf(stored, upcastAttemptV2);

function upcastAttemptOf(stored: unknown, upcast: Upcast): unknown {
  return isRecord(stored) && "attempt" in stored ? { ...stored, attempt: upcast(stored["attempt"]) } : stored;
}
