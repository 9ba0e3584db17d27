import { markMissingChunk } from "./features/errors/missing-chunk.ts";
import type { router as Router } from "./router.ts";

const STORAGE_KEY = "jornada.reloaded-for";
const HEALTH_PATH = "/status/health";

/**
 * After a deployment the chunks of the old page are gone: this reloads the page, once per chunk. Only during a
 * navigation: a preload that fails must not cost anybody their place.
 */
export function reloadOnMissingChunk(router: typeof Router): void {
  addEventListener("vite:preloadError", ({ payload }) => {
    const { message } = payload;
    markMissingChunk(payload);
    if (router.state.isLoading && navigator.onLine) void reloadFor(message);
  });
}

/** Only from a server that answers: of a page that is reloaded in vain nothing is left. The screen waits for it. */
async function reloadFor(message: string): Promise<void> {
  const response = await fetch(HEALTH_PATH, { cache: "no-store" }).catch(() => null);
  if (response && !hasReloadedFor(message)) location.reload();
}

/** Whether the page was already reloaded for this chunk. Without storage, yes: it could reload forever. */
function hasReloadedFor(message: string): boolean {
  try {
    const previous = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.setItem(STORAGE_KEY, message);
    return previous === message;
  } catch {
    return true;
  }
}
