import { isRecord, renameKey, type Upcast } from "../../../../db/shapes/versioned.ts";

/** What a text says stood under `words`. */
export const upcastOutboxItemV0: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text" ? renameKey(stored, "words", "body") : stored;
