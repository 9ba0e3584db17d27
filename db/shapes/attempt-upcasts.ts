import { renameKey, type Upcast } from "./versioned.ts";

/** When an attempt ended stood under `settledAt`. */
export const upcastAttemptV0: Upcast = (stored) => renameKey(stored, "settledAt", "endedAt");
