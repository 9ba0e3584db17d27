import { renameKey, type Upcast } from "../../../../db/shapes/versioned.ts";

/** The thresholds stood under `leftMs`. */
export const upcastExpiryWarningsV0: Upcast = (stored) => renameKey(stored, "leftMs", "thresholdsMs");
