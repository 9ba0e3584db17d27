import * as z from "zod/mini";
import { ApiError, parseApiError, type ApiResponse } from "./api-error.ts";

/** `fetch`, with the one failure that has no response turned into an `ApiError`. */
export async function request(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch {
    throw new ApiError(0, "network");
  }
}

/** Parses a response at the edge; a failure is thrown as an `ApiError`. */
export async function parseResponse<Shape extends z.ZodMiniType>(
  shape: Shape,
  response: ApiResponse,
): Promise<z.output<Shape>> {
  await requireOk(response);
  return z.parse(shape, await response.json());
}

/** @throws {ApiError} where the call failed */
export async function requireOk(response: ApiResponse): Promise<void> {
  if (!response.ok) throw await parseApiError(response);
}
