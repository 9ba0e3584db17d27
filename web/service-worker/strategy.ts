/** How the service worker answers a request. `leave`: not at all, the browser does as if there were none. */
export type Strategy = "bypass" | "page" | "asset";

/** Paths that are always the server's: what they answer is nobody's to keep. */
const SERVER_PATHS = ["/flex/v1", "/status", "/identity", "/sandbox", "/webhooks", "/selfie"];

/** Files beside the page that it needs at its start. They have no hash in their name. */
const UNHASHED_ASSETS = ["/theme.js", "/icon.svg"];

export function strategyFor(
  { method, mode, url }: { method: string; mode: string; url: string },
  origin: string,
): Strategy {
  const { origin: requestOrigin, pathname } = new URL(url);
  if (method !== "GET" || requestOrigin !== origin) return "bypass";
  if (SERVER_PATHS.some((path) => pathname === path || pathname.startsWith(`${path}/`))) return "bypass";
  if (mode === "navigate") return "page";
  return pathname.startsWith("/assets/") || UNHASHED_ASSETS.includes(pathname) ? "asset" : "bypass";
}

/** Whether an address never changes what it answers: the build wrote a hash into its name. */
export function isHashed(url: string): boolean {
  return new URL(url).pathname.startsWith("/assets/");
}

/** What the names of our caches begin with; the build's own name follows. */
export const CACHE_PREFIX = "jornada-";

/** The page of every screen of a driver, and what stands in for one that is not kept. */
export const APP_SHELL = "/flex/dashboard";

/** Public pages that are kept, each for itself. */
const PUBLIC_PAGES = ["/", "/login", "/register", "/forgot-password", "/terms", "/faqs", "/contact"];

/** Under which name a page is kept, without what follows its path; null where it is not. */
export function pageCacheKey(url: string): string | null {
  const { pathname } = new URL(url);
  if (pathname === "/flex" || pathname.startsWith("/flex/")) return APP_SHELL;
  return PUBLIC_PAGES.includes(pathname) ? pathname : null;
}

/** Whether a cache is one of ours from another build. A build reads only its own cache, so the others can go. */
export function isOutdatedCache(name: string, current: string): boolean {
  return name.startsWith(CACHE_PREFIX) && name !== current;
}

/** What a push message asks to be shown, as the server wrote it. */
export type PushNotification = { title: string; body: string; url: string; tag: string };

/** Reads a push message; null where it is none of ours. It opens only addresses of our own. */
export function parsePushMessage(data: unknown): PushNotification | null {
  if (typeof data !== "object" || data === null) return null;
  const { title, body, url, tag } = data as Record<string, unknown>;
  if (typeof title !== "string" || typeof body !== "string" || typeof tag !== "string") return null;
  return { title, body, tag, url: toOwnPath(url) };
}

/** The page that a notification opens; an earlier build may have shown it. */
export function notificationUrl(data: unknown): string {
  return toOwnPath(typeof data === "object" && data !== null && "url" in data ? data.url : null);
}

function toOwnPath(url: unknown): string {
  return typeof url === "string" && /^\/(?![/\\])/.test(url) ? url : APP_SHELL;
}
