import { decodeVersioned, encodeVersioned, type Versioned } from "../../db/shapes/versioned.ts";

/** A value that the device keeps under one key. It carries its version, and is read whichever build wrote it. */
export type Stored<Value> = {
  /** Null where there is nothing, or nothing that can be read: then the page does as if there were none. */
  load(): Value | null;
  /** @returns whether it was kept: storage may be full or closed to us */
  save(value: Value): boolean;
  remove(): void;
};

/**
 * The one seam to what this device keeps in JSON. Not among it: `theme`, plain text that is read before any
 * of this is loaded; the session, whose form is the identity library's; the mark of a page that has loaded
 * anew, which is only compared.
 * @param area where it is kept; asked for each time, since storage may be closed to us
 */
export function createStored<Value>({
  key,
  area = () => localStorage,
  ...versioned
}: Versioned<Value> & { key: string; area?: () => Storage }): Stored<Value> {
  return {
    load() {
      try {
        const text = area().getItem(key);
        return text === null ? null : decodeVersioned(versioned, text);
      } catch {
        return null;
      }
    },
    save(value) {
      try {
        area().setItem(key, encodeVersioned(versioned, value));
        return true;
      } catch {
        return false;
      }
    },
    remove() {
      try {
        area().removeItem(key);
      } catch {
        // Storage that is closed to us holds nothing of ours.
      }
    },
  };
}

/** Removes everything whose key begins so. */
export function removeStoredUnder(prefix: string): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage that is closed to us holds nothing of ours.
  }
}
