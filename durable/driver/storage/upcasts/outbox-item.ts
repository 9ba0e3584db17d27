import { isRecord, renameKey, type Upcast } from "../../../../db/shapes/versioned.ts";

/** A text's `body` was called `words`. */
export const upcastOutboxItemV0: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text" ? renameKey(stored, "words", "body") : stored;
