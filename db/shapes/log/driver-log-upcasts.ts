import { isRecord, type Upcast, renameKey } from "../versioned.ts";

/** A version 0 event contains a version 0 attempt. */
export const upcastLogEventV0: Upcast = (stored) => upcastAttemptOf(stored, upcastAttemptV0);

/** A version 1 event contains a version 1 attempt. */
export const upcastLogEventV1: Upcast = (stored) => upcastAttemptOf(stored, upcastAttemptV1);

/** A version 3 event contains a version 2 attempt. */
export const upcastLogEventV3: Upcast = (stored) => upcastAttemptOf(stored, upcastAttemptV2);

function upcastAttemptOf(stored: unknown, upcast: Upcast): unknown {
  return isRecord(stored) && "attempt" in stored ? { ...stored, attempt: upcast(stored["attempt"]) } : stored;
}

/** Version 0 called `endedAt` `settledAt`. */
export const upcastAttemptV0: Upcast = (stored) => renameKey(stored, "settledAt", "endedAt");

/** Version 1 did not store when an attempt without an answer was last tried. */
export const upcastAttemptV1: Upcast = (stored) => {
  if (!isRecord(stored) || !isRecord(stored["outcome"])) return stored;
  const { outcome, createdAt } = stored;
  return outcome["status"] === "unknown"
    ? { ...stored, outcome: { triedAt: createdAt, ...outcome } }
    : stored;
};

/** Version 2 did not store where the block is worked. */
export const upcastAttemptV2: Upcast = (stored) => (isRecord(stored) ? { place: null, ...stored } : stored);
