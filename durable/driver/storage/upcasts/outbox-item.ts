import { isRecord, renameKey, type Upcast } from "../../../../db/shapes/versioned.ts";

/** Version 0 called the `body` of a text `words`. */
export const upcastOutboxItemV0: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text" ? renameKey(stored, "words", "body") : stored;
