import { decodeVersioned, encodeVersioned, type Versioned } from "../../../db/shapes/versioned.ts";

/** A value stored on the device under one key, with its version, so that later builds can read it. */
export type Stored<Value> = {
  /** Null if nothing is stored, or it can't be parsed. */
  load(): Value | null;
  /** @returns false if storage is full or blocked */
  save(value: Value): boolean;
  remove(): void;
};

/**
 * All JSON in local and session storage goes through here. Exceptions: `theme`, which is plain text and read
 * before this code loads; the session, whose format is the identity library's; the browser's id and the marker of a reload,
 * which are plain text and only compared.
 * @param area a function, since even accessing blocked storage throws
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
        // Blocked storage contains nothing of ours.
      }
    },
  };
}

/** Removes every local item whose key starts with the prefix. */
export function removeStoredUnder(prefix: string): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Blocked storage contains nothing of ours.
  }
}
