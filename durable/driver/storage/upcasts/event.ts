import { isRecord, type Upcast } from "../../../../db/shapes/versioned.ts";
import { upcastAttemptV0 } from "./attempt.ts";

/** The attempt inside of an event is one of version 0. */
export const upcastEventV0: Upcast = (stored) =>
  isRecord(stored) && "attempt" in stored
    ? { ...stored, attempt: upcastAttemptV0(stored["attempt"]) }
    : stored;
