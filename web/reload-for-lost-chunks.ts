import type { router as Router } from "./router.ts";

const KEPT_UNDER = "jornada.reloaded-for";

/**
 * After a deployment the chunks of the old page are gone: the page is loaded anew, once for each chunk. Only
 * where somebody is on their way: a chunk that was asked for ahead can fail without anybody losing their place.
 */
export function reloadForLostChunks(router: typeof Router): void {
  addEventListener("vite:preloadError", (event) => {
    if (!router.state.isLoading) return;
    // The router would load the page anew on its own, also where there is no network to load it from.
    event.preventDefault();
    if (navigator.onLine && !wasReloadedFor(event.payload.message)) location.reload();
  });
}

/** Whether this was asked before; storage that is closed to us counts as yes, or it would never end. */
function wasReloadedFor(lost: string): boolean {
  try {
    const before = sessionStorage.getItem(KEPT_UNDER);
    sessionStorage.setItem(KEPT_UNDER, lost);
    return before === lost;
  } catch {
    return true;
  }
}
