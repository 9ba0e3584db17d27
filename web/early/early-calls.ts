import { SESSION_PREFIX } from "./page-root.ts";

/** A token is renewed this long before it expires, so that it doesn't expire on the way. */
export const RENEW_BEFORE_MS = 60_000;

/** A call that nothing has asked for by then is made again: a ticket is good for half a minute. */
const GOOD_FOR_MS = 15_000;

/** The calls of every page, and of every screen of a driver. */
const PAGE_CALLS = ["GET /status/config", "GET /status/health"];
const DRIVER_CALLS = ["GET /flex/v1/user"];
const SCREEN_CALLS: Readonly<Record<string, readonly string[]>> = {
  "/flex/dashboard": ["GET /flex/v1/user/earnings", "POST /flex/v1/live/ticket"],
  "/flex/filters": ["GET /flex/v1/filters", "GET /flex/v1/warehouses"],
};

/** When the first code of the page ran, on this device's clock, epoch ms: no call was sent before. */
export const STARTED_AT = Date.now();

type EarlyCall = {
  authorization: string | null;
  sentAt: number;
  controller: AbortController;
  response: Promise<Response>;
};
const calls = new Map<string, EarlyCall>();

/**
 * Sends what a driver's screen will ask for while its code is still on the way. A driver's own calls need a token that is
 * good: without one nothing is sent in the name of anybody, and renewing it is up to the session.
 */
export function sendEarlyCalls(pathname: string, now: number): void {
  if (pathname !== "/flex" && !pathname.startsWith("/flex/")) return;
  for (const call of PAGE_CALLS) send(call, null, now);
  const token = storedToken(now);
  if (token === null) return;
  for (const call of [...DRIVER_CALLS, ...(SCREEN_CALLS[pathname] ?? [])]) send(call, `Bearer ${token}`, now);
}

/**
 * The response to a call that was sent early, once, and only to who it was sent for; undefined if it must be sent now. The
 * signal of its taker cancels it.
 */
export function takeEarlyResponse(
  input: RequestInfo | URL,
  init: RequestInit = {},
): Promise<Response> | undefined {
  if (calls.size === 0) return undefined;
  const method = init.method ?? "GET";
  const call = `${method} ${String(input)}`;
  const early = calls.get(call);
  // Data read before a change no longer holds.
  if (!early && method !== "GET") forgetEarlyCalls();
  if (!early) return undefined;
  calls.delete(call);
  const authorization = new Headers(init.headers).get("authorization");
  const cancel = () => early.controller.abort();
  if (early.authorization !== authorization || Date.now() - early.sentAt >= GOOD_FOR_MS) {
    cancel();
    return undefined;
  }
  init.signal?.addEventListener("abort", cancel);
  return early.response;
}

/** Once the first screen is there, what it didn't ask for is old. A response that nobody reads would stay in flight. */
export function forgetEarlyCalls(): void {
  for (const { controller } of calls.values()) controller.abort();
  calls.clear();
}

function send(call: string, authorization: string | null, now: number): void {
  const [method = "GET", path = ""] = call.split(" ");
  const controller = new AbortController();
  const response = fetch(path, {
    method,
    cache: "no-store",
    signal: controller.signal,
    ...(authorization === null ? {} : { headers: { authorization } }),
  });
  // Its taker is notified.
  response.catch(() => undefined);
  calls.set(call, { authorization, sentAt: now, controller, response });
}

/** The id token of the session on this device; null if there is none, more than one, or it must be renewed first. */
function storedToken(now: number): string | null {
  try {
    const users = Object.keys(localStorage).filter(
      (key) => key.startsWith(SESSION_PREFIX) && key.endsWith(".LastAuthUser"),
    );
    const [user = "", ...others] = users;
    if (others.length > 0) return null;
    const token = localStorage.getItem(
      `${user.slice(0, -"LastAuthUser".length)}${localStorage.getItem(user)}.idToken`,
    );
    return token !== null && expiryOf(token) - now > RENEW_BEFORE_MS ? token : null;
  } catch {
    return null;
  }
}

/** When a token expires, in epoch ms. */
function expiryOf(token: string): number {
  const payload = (token.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const claims: { exp?: unknown } = JSON.parse(atob(payload));
  return Number(claims.exp) * 1000;
}

if (typeof document !== "undefined") sendEarlyCalls(location.pathname, Date.now());
