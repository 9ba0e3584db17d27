import { isRecord, type Upcast } from "../../../../db/shapes/versioned.ts";

/** Version 1 counted urgent texts among the others. */
export const upcastTextDayV1: Upcast = (stored) => (isRecord(stored) ? { urgent: 0, ...stored } : stored);
