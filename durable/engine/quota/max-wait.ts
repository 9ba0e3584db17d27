import { HOUR_MS, type DurationMs } from "../../../db/shapes/units.ts";

/** The longest wait that is obeyed. After it, one call asks again. */
export const MAX_WAIT_MS: DurationMs = 4 * HOUR_MS;
