import { upcastLogEventV0 } from "../../db/shapes/driver-log-upcasts.ts";
import { isRecord, type Upcast } from "../../db/shapes/versioned.ts";

/** Upcasts the events in the snapshot's feed. */
export const upcastLiveCacheV0: Upcast = (stored) => {
  if (!isRecord(stored) || !isRecord(stored["snapshot"])) return stored;
  const { snapshot } = stored;
  const { feed } = snapshot;
  return Array.isArray(feed) ? { ...stored, snapshot: { ...snapshot, feed: feed.map(upcastEntry) } } : stored;
};

const upcastEntry: Upcast = (entry) =>
  isRecord(entry) ? { ...entry, event: upcastLogEventV0(entry["event"]) } : entry;
