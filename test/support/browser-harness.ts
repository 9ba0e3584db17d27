import { vi } from "vitest";
import type { PublicConfig } from "../../worker/contract/status.ts";
import { scriptNetwork, storeSession } from "./scripted-network.ts";

/** The browser APIs that the page's modules need outside of a document, with a scripted network. */
export function createBrowserHarness(config: Partial<PublicConfig> = {}) {
  const storage = newStorage();
  const network = scriptNetwork(config);
  vi.stubGlobal("localStorage", storage);
  vi.stubGlobal("sessionStorage", newStorage());
  vi.stubGlobal("window", Object.assign(new EventTarget(), { localStorage: storage, crypto }));
  vi.stubGlobal("location", new URL("https://jornada.test/login"));
  return {
    ...network,
    storage,
    signIn: (tokens?: Parameters<typeof storeSession>[1]) => storeSession(storage, tokens),
  };
}

/** Like the browser's Storage, items are also properties. */
function newStorage(): Storage {
  const methods = {
    getItem(this: Record<string, string>, key: string) {
      return Object.hasOwn(this, key) ? (this[key] ?? null) : null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = String(value);
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
    clear(this: Record<string, string>) {
      for (const key of Object.keys(this)) delete this[key];
    },
  };
  return Object.create(methods) as Storage;
}
