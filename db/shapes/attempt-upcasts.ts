import { renameKey, type Upcast } from "./versioned.ts";

/** `endedAt` was called `settledAt`. */
export const upcastAttemptV0: Upcast = (stored) => renameKey(stored, "settledAt", "endedAt");
