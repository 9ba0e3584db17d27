/** Items that the device can't store. They are gone when the page closes. */
const inMemory = new Map<string, string>();

/** The device's storage. Browsers throw if it is forbidden; an app that shows the page without storage has null. */
function deviceStorage(): Storage | null {
  try {
    return (globalThis as { localStorage?: Storage | null }).localStorage ?? null;
  } catch {
    return null;
  }
}

/**
 * Where the identity library and the page store a session: on the device, or in the page's memory if the device has no storage
 * or no room, so that drivers can sign in without either.
 */
export const tokenStorage = {
  // An item on the device is from another tab, and newer.
  getItem: (key: string): string | null => deviceStorage()?.getItem(key) ?? inMemory.get(key) ?? null,
  setItem(key: string, value: string): void {
    inMemory.delete(key);
    if (storeOnDevice(key, value)) return;
    inMemory.set(key, value);
    // The next load must not mistake the former item for this one.
    deviceStorage()?.removeItem(key);
  },
  removeItem(key: string): void {
    inMemory.delete(key);
    deviceStorage()?.removeItem(key);
  },
  clear(): void {
    for (const key of this.keys()) this.removeItem(key);
  },
  keys: (): string[] => [...inMemory.keys(), ...Object.keys(deviceStorage() ?? {})],
};

/** Stores an item on the device. @returns whether it could */
export function storeOnDevice(key: string, value: string): boolean {
  try {
    const device = deviceStorage();
    device?.setItem(key, value);
    return device !== null;
  } catch {
    return false;
  }
}
