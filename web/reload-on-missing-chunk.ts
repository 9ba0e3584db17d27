import type { router as Router } from "./router.ts";

const STORAGE_KEY = "jornada.reloaded-for";

/**
 * After a deployment the chunks of the old page are gone: the page is loaded anew, once for each chunk. Only
 * where somebody is on their way: a chunk that was asked for ahead can fail without anybody losing their place.
 */
export function reloadOnMissingChunk(router: typeof Router): void {
  addEventListener("vite:preloadError", (event) => {
    if (!router.state.isLoading) return;
    // The router would load the page anew on its own, also where there is no network to load it from.
    event.preventDefault();
    if (navigator.onLine && !hasReloadedFor(event.payload.message)) location.reload();
  });
}

/** Whether this was asked before; storage that is closed to us counts as yes, or it would never end. */
function hasReloadedFor(message: string): boolean {
  try {
    const previous = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.setItem(STORAGE_KEY, message);
    return previous === message;
  } catch {
    return true;
  }
}
