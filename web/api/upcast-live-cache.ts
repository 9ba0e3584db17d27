import { upcastLogEventV0, upcastLogEventV1 } from "../../db/shapes/driver-log-upcasts.ts";
import { isRecord, type Upcast } from "../../db/shapes/versioned.ts";

/** Upcasts the events in the snapshot's feed. */
export const upcastLiveCacheV0: Upcast = (stored) => upcastFeed(stored, upcastLogEventV0);
export const upcastLiveCacheV1: Upcast = (stored) => upcastFeed(stored, upcastLogEventV1);

function upcastFeed(stored: unknown, upcast: Upcast): unknown {
  if (!isRecord(stored) || !isRecord(stored["snapshot"])) return stored;
  const { snapshot } = stored;
  const { feed } = snapshot;
  if (!Array.isArray(feed)) return stored;
  const entries = feed.map((entry: unknown) =>
    isRecord(entry) ? { ...entry, event: upcast(entry["event"]) } : entry,
  );
  return { ...stored, snapshot: { ...snapshot, feed: entries } };
}
