import { renameKey, type Upcast } from "./versioned.ts";

/** Version 0 called `endedAt` `settledAt`. */
export const upcastAttemptV0: Upcast = (stored) => renameKey(stored, "settledAt", "endedAt");
