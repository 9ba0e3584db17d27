import { isRecord, type Upcast } from "../../../../db/shapes/versioned.ts";

/** Version 1 doesn't say whether the driver was notified: nobody was. */
export const upcastThrottleV1: Upcast = (stored) =>
  isRecord(stored) ? { ...stored, isNotified: false } : stored;
