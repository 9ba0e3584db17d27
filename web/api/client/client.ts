import { hc } from "hono/client";
import { SEED_PRICES } from "../../../db/shapes/money/plans.ts";
import { isRecord, unchanged } from "../../../db/shapes/versioned.ts";
import type { Api } from "../../../worker/app.ts";
import { SEALED_ROUTES, type SealedRoute } from "../../../worker/contract/sealed-body.ts";
import { publicConfig, type PublicConfig } from "../../../worker/contract/status.ts";
import { isNetworkError } from "../session/auth-error.ts";
import { BOOKMARK_HEADER } from "../../../worker/contract/headers.ts";
import { currentBookmark, saveBookmark } from "./bookmark.ts";
import { RequestError } from "./request-error.ts";
import { parseResponse, request } from "./request.ts";
import { sendSealed } from "./seal.ts";
import { clearSession, currentToken, loadSession, parseTokenSubject } from "../session/session.ts";
import { createStored } from "../cache/storage.ts";
import { serverNow } from "../../early/server-clock.ts";

export const storedConfig = {
  key: "jornada.config",
  shape: publicConfig,
  upcasts: [
    unchanged,
    (stored: unknown) => (isRecord(stored) ? { planPrices: SEED_PRICES, ...stored } : stored),
    // The chat's hidden number was removed; parsing drops fields that it doesn't know.
    unchanged,
    // Earlier versions say nothing about the terms.
    unchanged,
  ],
};
const cachedConfig = createStored(storedConfig);

let configPromise: Promise<PublicConfig> | null = null;

/** The API's paths, inputs and responses, as the server declares them. Bodies of sealed routes are passed unsealed. */
export const api = hc<Api>("/", { fetch: requestAsDriver });

/** The deployment's public config, fetched once. Without a connection, the cached one. */
export function fetchConfig(): Promise<PublicConfig> {
  configPromise ??= request("/status/config")
    .then((response) => parseResponse(publicConfig, response))
    .then((config) => {
      cachedConfig.save(config);
      return config;
    })
    .catch((error: unknown) => {
      configPromise = null;
      const cached = cachedConfig.load();
      if (cached && error instanceof RequestError && error.code === "network") return cached;
      throw error;
    });
  return configPromise;
}

/**
 * Makes a call as the driver. If the server rejects the token, renews it and repeats the call once. Bodies of sealed
 * routes are sealed here.
 * @throws {TypeError} if a sealed route is called without a JSON body
 */
export async function requestAsDriver(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const route = sealedRouteOf(input, init);
  if (route === null) return sendAsDriver(input, init);
  if (typeof init.body !== "string") throw new TypeError(`${route} needs a JSON body`);
  const { identity } = await fetchConfig();
  const session = loadSession(identity.clientId);
  const caller = session ? parseTokenSubject(session) : null;
  return sendSealed(route, { caller, body: JSON.parse(init.body) }, (body) =>
    sendAsDriver(input, { ...init, body: JSON.stringify(body) }),
  );
}

function sealedRouteOf(input: RequestInfo | URL, { method }: RequestInit): SealedRoute | null {
  const request = input instanceof Request ? input : null;
  const { pathname } = new URL(request?.url ?? String(input), location.href);
  const route = `${(method ?? request?.method ?? "GET").toUpperCase()} ${pathname}`;
  return SEALED_ROUTES.find((sealed) => sealed === route) ?? null;
}

async function sendAsDriver(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
  const { identity } = await fetchConfig();
  const attempt = async (force: boolean) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${await freshToken(identity, force)}`);
    const bookmark = currentBookmark();
    if (bookmark !== null) headers.set(BOOKMARK_HEADER, bookmark);
    const response = await request(input, { ...init, headers });
    // oxlint-disable-next-line no-console -- the product says so, and names nobody
    if (response.status === 401) console.warn("Unauthorized request - token may be expired");
    return response;
  };
  let response = await attempt(false);
  if (response.status === 401) response = await attempt(true);
  if (response.status === 401) {
    clearSession(identity);
    throw new RequestError(401, "unauthenticated");
  }
  saveBookmark(response.headers.get(BOOKMARK_HEADER));
  return response;
}

async function freshToken(identity: PublicConfig["identity"], force: boolean): Promise<string> {
  const token = await currentToken(identity, { now: serverNow(), force }).catch((error: unknown) => {
    throw isNetworkError(error) ? new RequestError(0, "network") : new RequestError(401, "unauthenticated");
  });
  if (!token) throw new RequestError(401, "unauthenticated");
  return token;
}
