import { upcastLogEventV0, upcastLogEventV1 } from "../../../db/shapes/work/driver-log-upcasts.ts";
import { isRecord, type Upcast } from "../../../db/shapes/versioned.ts";

/** Upcasts the events in the snapshot's feed. */
export const upcastLiveCacheV0: Upcast = (stored) => upcastFeed(stored, upcastLogEventV0);
export const upcastLiveCacheV1: Upcast = (stored) => upcastFeed(stored, upcastLogEventV1);

/** Captures of the day stand apart from the feed. An old snapshot may be of another day: they come with the next one. */
export const upcastLiveCacheV2: Upcast = (stored) =>
  isRecord(stored) && isRecord(stored["snapshot"])
    ? { ...stored, snapshot: { ...stored["snapshot"], won: [] } }
    : stored;

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
