import { hc } from "hono/client";
import * as z from "zod/mini";
import type { Api } from "../../worker/app.ts";
import { publicConfig, type PublicConfig } from "../../worker/contract/status.ts";
import { AuthError } from "./auth-error.ts";
import { ApiError, readProblem, type Answer } from "./problem.ts";
import { currentToken, endSession } from "./session.ts";
import { readStored, writeStored } from "./stored.ts";

const BOOKMARK_HEADER = "x-d1-bookmark";
const LAST_CONFIG = "jornada.config";

/** Where the database had come to at our last call: so that we see what we wrote. */
let bookmark: string | null = null;
let deployment: Promise<PublicConfig> | null = null;

/** The API's paths, inputs and answers, as the server declares them. */
export const api = hc<Api>("/", { fetch: send });

/** Parses an answer at the edge; a failure is thrown as an `ApiError`. */
export async function answer<Shape extends z.ZodMiniType>(
  shape: Shape,
  response: Answer,
): Promise<z.output<Shape>> {
  if (!response.ok) throw await readProblem(response);
  return z.parse(shape, await response.json());
}

/** What the page must know of this deployment; asked for once. Without a connection, what it was told last. */
export function readDeployment(): Promise<PublicConfig> {
  deployment ??= request("/status/config")
    .then((response) => answer(publicConfig, response))
    .then((config) => {
      writeStored(LAST_CONFIG, config);
      return config;
    })
    .catch((error: unknown) => {
      deployment = null;
      const last = readStored(publicConfig, LAST_CONFIG);
      if (last && error instanceof ApiError && error.code === "network") return last;
      throw error;
    });
  return deployment;
}

/** A call in the driver's name. A token that the server no longer takes is renewed once. */
export async function send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const { identity } = await readDeployment();
  const attempt = async (force: boolean) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${await goodToken(identity, force)}`);
    if (bookmark) headers.set(BOOKMARK_HEADER, bookmark);
    const response = await request(input, { ...init, headers });
    // oxlint-disable-next-line no-console -- the product says so, and names nobody
    if (response.status === 401) console.warn("Unauthorized request - token may be expired");
    return response;
  };
  let response = await attempt(false);
  if (response.status === 401) response = await attempt(true);
  if (response.status === 401) {
    endSession(identity);
    throw new ApiError(401, "unauthenticated");
  }
  bookmark = response.headers.get(BOOKMARK_HEADER) ?? bookmark;
  return response;
}

async function goodToken(identity: PublicConfig["identity"], force: boolean): Promise<string> {
  const token = await currentToken(identity, { now: Date.now(), force }).catch((error: unknown) => {
    const isLost = error instanceof AuthError && error.code === "NetworkError";
    throw isLost ? new ApiError(0, "network") : new ApiError(401, "unauthenticated");
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
