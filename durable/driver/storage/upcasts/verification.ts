import { isRecord, type Upcast } from "../../../../db/shapes/versioned.ts";

/** Version 1 did not say since when the platform asks for it: long enough to be asked about once a minute. */
export const upcastVerificationV1: Upcast = (stored) => (isRecord(stored) ? { since: 0, ...stored } : stored);
