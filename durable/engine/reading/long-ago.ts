import type { EpochMs } from "../../../db/shapes/units.ts";

/** When held blocks were read that are known from before, and must be read again. */
export const LONG_AGO: EpochMs = 0;
