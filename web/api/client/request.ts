import type * as z from "zod/mini";
import { readShape } from "../../../db/shapes/tolerant.ts";
import { MINUTE_MS, type DurationMs } from "../../../db/shapes/units.ts";
import { takeEarlyResponse } from "../../early/early-calls.ts";
import { noteOpen } from "./maintenance.ts";
import { RequestError, parseRequestError, type ApiResponse } from "./request-error.ts";

/** Responds as long as the server does, even during maintenance. */
export const HEALTH_PATH = "/status/health";

/**
 * A network may silently drop a call. The server itself waits for the card processor or the platform, and responds even if
 * these don't: Stripe gets three tries of 8 s.
 */
const ANSWER_LIMIT_MS: DurationMs = 30_000;
/** For the rest of a response that has begun. */
const BODY_LIMIT_MS: DurationMs = 2 * MINUTE_MS;

/**
 * `fetch`, which throws a `RequestError` if there is no response in time. Requests sent before this code loaded aren't sent
 * twice.
 */
export async function request(
  input: RequestInfo | URL,
  init: Omit<RequestInit, "signal"> = {},
): Promise<Response> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, ANSWER_LIMIT_MS);
  const limited = { ...init, signal: controller.signal };
  try {
    const response = await (takeEarlyResponse(input, limited) ?? fetch(input, limited));
    setTimeout(abort, BODY_LIMIT_MS);
    if (response.ok) noteOpen();
    return response;
  } catch {
    throw new RequestError(0, "network");
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Parses a response, perhaps of a newer server, or throws its error as a `RequestError`. If the connection breaks within the
 * body, there was no response.
 */
export async function parseResponse<Shape extends z.ZodMiniType>(
  shape: Shape,
  response: ApiResponse,
): Promise<z.output<Shape>> {
  await requireOk(response);
  const body = await response.json().catch(() => {
    throw new RequestError(0, "network");
  });
  return readShape(shape, body);
}

/** @throws {RequestError} if the call failed */
export async function requireOk(response: ApiResponse): Promise<void> {
  if (!response.ok) throw await parseRequestError(response);
}
