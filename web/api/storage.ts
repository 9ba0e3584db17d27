import { decodeVersioned, encodeVersioned, type Versioned } from "../../db/shapes/versioned.ts";

/** A value stored on the device under one key, with its version: it can be read whichever build wrote it. */
export type Stored<Value> = {
  /** Null where nothing is stored, or nothing readable. */
  load(): Value | null;
  /** @returns false where storage is full or blocked */
  save(value: Value): boolean;
  remove(): void;
};

/**
 * All JSON in local and session storage goes through here. Not among it: `theme`, which is plain text and read
 * before this code loads; the session, whose format is the identity library's; and the marker of a reload,
 * a plain text that is only compared.
 * @param area a function, since merely touching blocked storage throws
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
        // Blocked storage holds nothing of ours.
      }
    },
  };
}

/** Removes every local item whose key starts with the prefix. */
export function removeStoredUnder(prefix: string): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Blocked storage holds nothing of ours.
  }
}
