import { renameKey, type Upcast } from "../../../../db/shapes/versioned.ts";

/** Version 0 called `thresholdsMs` `leftMs`. */
export const upcastExpiryWarningsV0: Upcast = (stored) => renameKey(stored, "leftMs", "thresholdsMs");
