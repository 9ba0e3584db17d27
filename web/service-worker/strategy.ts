import { MOMENTARY, PLACEHOLDER } from "../../worker/contract/served-cases.ts";

/** How the service worker handles a request. `bypass`: not at all, it goes to the network as usual. */
export type Strategy = "bypass" | "page" | "asset";

/** The server's own paths, whose responses are never cached. */
const SERVER_PATHS = ["/flex/v1", "/status", "/identity", "/sandbox", "/webhooks", "/selfie", "/ops"];

/** Files that the page needs to start and whose names carry no hash. */
export const UNHASHED_ASSETS = ["/icon.svg"];

export function strategyFor(
  { method, mode, url }: { method: string; mode: string; url: string },
  origin: string,
): Strategy {
  const { origin: requestOrigin, pathname } = new URL(url);
  if (method !== "GET" || requestOrigin !== origin) return "bypass";
  if (isServerPath(pathname)) return "bypass";
  if (mode === "navigate") return "page";
  return pathname.startsWith("/assets/") || UNHASHED_ASSETS.includes(pathname) ? "asset" : "bypass";
}

function isServerPath(pathname: string): boolean {
  return SERVER_PATHS.some((path) => pathname === path || pathname.startsWith(`${path}/`));
}

/** Whether the response never changes: the build put a hash of the content into the name. */
export function isHashed(url: string): boolean {
  return new URL(url).pathname.startsWith("/assets/");
}

/** The prefix of our caches' names; the build's own name follows. */
export const CACHE_PREFIX = "jornada-";

/** The cached page for every signed-in screen, and the fallback for pages that aren't cached. */
export const APP_SHELL = "/flex/dashboard";

/** Public pages, each cached under its own path. */
const PUBLIC_PAGES = [
  "/",
  "/login",
  "/register",
  "/forgot-password",
  "/terms",
  "/faqs",
  "/contact",
  "/health",
];

/** The cache key of a page, without its query; null where it isn't cached. */
export function pageCacheKey(url: string): string | null {
  const { pathname } = new URL(url);
  if (pathname === "/flex" || pathname.startsWith("/flex/")) return APP_SHELL;
  return PUBLIC_PAGES.includes(pathname) ? pathname : null;
}

/** Whether a page needs no files but those of a build. */
export function isOfBuild(html: string, assets: readonly string[]): boolean {
  return (html.match(/\/assets\/[\w.-]+/g) ?? []).every((path) => assets.includes(path));
}

/** A page as a device keeps it: without what held for the moment alone, of which the device can't know how long it does. */
export function withoutMoment(html: string): string {
  const { start, end } = MOMENTARY;
  return html.replaceAll(new RegExp(`${start}.*?${end}`, "gs"), PLACEHOLDER);
}

/** Whether a cache is one of ours from another build. A build reads only its own cache, so the others can go. */
export function isOutdatedCache(name: string, current: string): boolean {
  return name.startsWith(CACHE_PREFIX) && name !== current;
}

/** A notification, as the server put it into a push message. */
export type PushNotification = {
  title: string;
  body: string;
  url: string;
  tag: string;
  question?: PushedQuestion;
};

/** A question that two buttons of a notification answer, with their words. */
export type PushedQuestion = { token: string; take: string; pass: string; unsent: string };

/** Null where there is none that can be answered. */
export function parseQuestion(data: unknown): PushedQuestion | null {
  if (typeof data !== "object" || data === null) return null;
  const { token, take, pass, unsent } = data as Record<string, unknown>;
  const isWhole =
    typeof token === "string" &&
    typeof take === "string" &&
    typeof pass === "string" &&
    typeof unsent === "string";
  return isWhole ? { token, take, pass, unsent } : null;
}

/** Null for a message that isn't ours. A tap opens only paths of this site. */
export function parsePushMessage(data: unknown): PushNotification | null {
  if (typeof data !== "object" || data === null) return null;
  const { title, body, url, tag, question: asked } = data as Record<string, unknown>;
  if (typeof title !== "string" || typeof body !== "string" || typeof tag !== "string") return null;
  const question = parseQuestion(asked);
  return { title, body, tag, url: toOwnPath(url), ...(question && { question }) };
}

/** The page that a notification opens; an earlier build may have shown it. */
export function notificationUrl(data: unknown): string {
  return toOwnPath(typeof data === "object" && data !== null && "url" in data ? data.url : null);
}

/**
 * The page that shows what a notification opens, the one used last. The check-in's frame is a window of its own to the browser,
 * and the latest one where the driver has tapped in it; the server's own pages stay as they are.
 */
export function findPage<Client extends { frameType: string; url: string }>(
  windows: readonly Client[],
): Client | undefined {
  return windows.find(({ frameType, url }) => frameType !== "nested" && !isServerPath(new URL(url).pathname));
}

function toOwnPath(url: unknown): string {
  return typeof url === "string" && /^\/(?![/\\])/.test(url) ? url : APP_SHELL;
}
