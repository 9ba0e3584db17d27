/** Items by their keys, as the identity library stores a session. */
type SessionStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "clear"> & {
  keys: () => string[];
};

const items = new Map<string, string>();
/** Ends with the page. */
const inMemory: SessionStorage = {
  getItem: (key) => items.get(key) ?? null,
  setItem: (key, value) => void items.set(key, value),
  removeItem: (key) => void items.delete(key),
  clear: () => items.clear(),
  keys: () => [...items.keys()],
};

/** The device's storage; null where the browser forbids it, or an app shows the page without one. */
function findLocalStorage(): Storage | null {
  try {
    const { localStorage } = globalThis as { localStorage?: Storage | null };
    return localStorage ?? null;
  } catch {
    return null;
  }
}

/** The storage of the session: the device's, or else the page's own memory, so that nobody needs storage to sign in. */
export function openSessionStorage(): SessionStorage {
  const storage = findLocalStorage();
  if (!storage) return inMemory;
  return {
    getItem: (key) => storage.getItem(key),
    setItem: (key, value) => storage.setItem(key, value),
    removeItem: (key) => storage.removeItem(key),
    clear: () => storage.clear(),
    keys: () => Object.keys(storage),
  };
}

/** Whether a session ends when its page is closed or loaded anew, since the device stores nothing. */
export function isSessionForgotten(): boolean {
  return findLocalStorage() === null;
}
