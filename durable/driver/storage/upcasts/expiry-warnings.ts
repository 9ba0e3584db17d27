import { renameKey, type Upcast } from "../../../../db/shapes/versioned.ts";

/** `thresholdsMs` was called `leftMs`. */
export const upcastExpiryWarningsV0: Upcast = (stored) => renameKey(stored, "leftMs", "thresholdsMs");
