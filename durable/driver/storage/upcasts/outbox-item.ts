import { upcastTextAboutV1 } from "../text-about.ts";
import { isRecord, renameKey, type Upcast } from "../../../../db/shapes/versioned.ts";

/** Version 0 called the `body` of a text `words`. */
export const upcastOutboxItemV0: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text" ? renameKey(stored, "words", "body") : stored;

/** Version 2 doesn't say how many notifications a text tells of: what a digest summed up is not known any more. */
export const upcastOutboxItemV2: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text" ? { ...stored, notifications: 1 } : stored;

/** Version 3 has a text's words, and not what it is about. */
export const upcastOutboxItemV3: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text" ? { ...stored, about: null } : stored;

/** Version 4 has texts about captures that don't say where the block is. */
export const upcastOutboxItemV4: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text"
    ? { ...stored, about: upcastTextAboutV1(stored["about"]) }
    : stored;
