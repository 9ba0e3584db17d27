import type * as z from "zod/mini";
import { readShape } from "../../../db/shapes/tolerant.ts";
import { takeEarlyResponse } from "../../early/early-calls.ts";
import { noteOpen } from "./maintenance.ts";
import { RequestError, parseRequestError, type ApiResponse } from "./request-error.ts";

/** Answers as long as the server does, under maintenance too. */
export const HEALTH_PATH = "/status/health";

/**
 * `fetch`, which throws a `RequestError` if there is no response. Requests sent before this code loaded aren't sent
 * twice.
 */
export async function request(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    const response = await (takeEarlyResponse(input, init) ?? fetch(input, init));
    if (response.ok) noteOpen();
    return response;
  } catch {
    throw new RequestError(0, "network");
  }
}

/**
 * Parses a response, perhaps of a newer server, or throws its error as a `RequestError`. One whose connection is lost within
 * the body counts as none.
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
