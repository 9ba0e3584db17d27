import { isRecord, renameKey, type Upcast } from "../versioned.ts";

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
