/** Items by their keys, as the identity library stores a session: each is a property, as of the browser's own storage. */
type TokenStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "clear">;

const methods: TokenStorage & ThisType<Record<string, string>> = {
  getItem(key) {
    return this[key] ?? null;
  },
  setItem(key, value) {
    this[key] = value;
  },
  removeItem(key) {
    delete this[key];
  },
  clear() {
    for (const key of Object.keys(this)) delete this[key];
  },
};

/** Ends with the page. */
const inMemory: TokenStorage = Object.create(methods);

/** The device's storage, or else the page's own memory, so that nobody needs storage to sign in. */
export function openTokenStorage(): TokenStorage {
  try {
    // Browsers throw where it is forbidden; an app that shows the page without one has null.
    return (globalThis as { localStorage?: Storage | null }).localStorage ?? inMemory;
  } catch {
    return inMemory;
  }
}

/** Whether a session ends when its page is closed or loaded anew, since the device stores nothing. */
export function isSessionForgotten(): boolean {
  return openTokenStorage() === inMemory;
}
