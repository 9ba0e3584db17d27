import { hc } from "hono/client";
import * as z from "zod/mini";
import { unchanged } from "../../db/shapes/versioned.ts";
import type { Api } from "../../worker/app.ts";
import { publicConfig, type PublicConfig } from "../../worker/contract/status.ts";
import { AuthError } from "./auth-error.ts";
import { ApiError, parseApiError, type ApiResponse } from "./api-error.ts";
import { currentToken, clearSession } from "./session.ts";
import { createStored } from "./storage.ts";

const BOOKMARK_HEADER = "x-d1-bookmark";

export const storedConfig = { key: "jornada.config", shape: publicConfig, upcasts: [unchanged] };
const cachedConfig = createStored(storedConfig);

/** Where the database had come to at our last call: so that we see what we wrote. */
let bookmark: string | null = null;
let configPromise: Promise<PublicConfig> | null = null;

/** The API's paths, inputs and answers, as the server declares them. */
export const api = hc<Api>("/", { fetch: requestAsDriver });

/** Parses an answer at the edge; a failure is thrown as an `ApiError`. */
export async function parseResponse<Shape extends z.ZodMiniType>(
  shape: Shape,
  response: ApiResponse,
): Promise<z.output<Shape>> {
  if (!response.ok) throw await parseApiError(response);
  return z.parse(shape, await response.json());
}

/** What the page must know of this deployment; asked for once. Without a connection, what it was told last. */
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
      if (cached && error instanceof ApiError && error.code === "network") return cached;
      throw error;
    });
  return configPromise;
}

/** A call in the driver's name. A token that the server no longer takes is renewed once. */
export async function requestAsDriver(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { identity } = await fetchConfig();
  const attempt = async (force: boolean) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${await freshToken(identity, force)}`);
    if (bookmark) headers.set(BOOKMARK_HEADER, bookmark);
    const response = await request(input, { ...init, headers });
    // oxlint-disable-next-line no-console -- the product says so, and names nobody
    if (response.status === 401) console.warn("Unauthorized request - token may be expired");
    return response;
  };
  let response = await attempt(false);
  if (response.status === 401) response = await attempt(true);
  if (response.status === 401) {
    clearSession(identity);
    throw new ApiError(401, "unauthenticated");
  }
  bookmark = response.headers.get(BOOKMARK_HEADER) ?? bookmark;
  return response;
}

async function freshToken(identity: PublicConfig["identity"], force: boolean): Promise<string> {
  const token = await currentToken(identity, { now: Date.now(), force }).catch((error: unknown) => {
    const isNetworkError = error instanceof AuthError && error.code === "NetworkError";
    throw isNetworkError ? new ApiError(0, "network") : new ApiError(401, "unauthenticated");
  });
  if (!token) throw new ApiError(401, "unauthenticated");
  return token;
}

/** `fetch`, with the one failure that has no answer turned into an `ApiError`. */
export async function request(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch {
    throw new ApiError(0, "network");
  }
}
