import type { PageRouter } from "./router.ts";

const STORAGE_KEY = "jornada.reloaded-for";

/**
 * After a deployment the chunks of the old page are gone: this reloads the page, once per chunk. Only during a
 * navigation: a preload that fails must not cost anybody their place.
 */
export function reloadOnMissingChunk(router: PageRouter): void {
  addEventListener("vite:preloadError", (event) => {
    if (!router.state.isLoading) return;
    // Otherwise the router reloads the page itself, even without a network to reload it from.
    event.preventDefault();
    if (navigator.onLine && !hasReloadedFor(event.payload.message)) location.reload();
  });
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
