import { hasReloadedFor, markMissingChunk } from "../features/errors/missing-chunk.ts";
import type { PageRouter } from "./router.ts";

const HEALTH_PATH = "/status/health";

/**
 * After a deployment the chunks of the old page are gone: this reloads the page, once per chunk. Only during a
 * navigation: a preload that fails must not cost anybody their place. Where its screen is opened then, the screen reloads.
 */
export function reloadOnMissingChunk(router: PageRouter): void {
  addEventListener("vite:preloadError", ({ payload }) => {
    markMissingChunk(payload);
    if (router.state.isLoading && navigator.onLine) void reloadFor(payload.message);
  });
}

/** The same for what the page can't start without. */
export function reloadForMissing(error: unknown): void {
  void reloadFor(error instanceof Error ? error.message : "the start");
}

/** Only from a server that answers: of a page that is reloaded in vain nothing is left. The screen waits for it. */
async function reloadFor(message: string): Promise<void> {
  const response = await fetch(HEALTH_PATH, { cache: "no-store" }).catch(() => null);
  if (response && !hasReloadedFor(message)) location.reload();
}
