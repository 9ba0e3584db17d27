import { isRecord, type Upcast } from "../../../../db/shapes/versioned.ts";

/** Version 1 doesn't say in which sign-in a browser was subscribed. Such a one ends with the next sign-in that does. */
export const upcastPushSubscriptionV1: Upcast = (stored) =>
  isRecord(stored) ? { ...stored, session: null } : stored;
