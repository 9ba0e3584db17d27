import * as z from "zod/mini";
import {
  errorResponse,
  type ErrorCode,
  type FieldIssue,
  type ErrorResponse,
} from "../../worker/contract/error-response.ts";

/** A call that failed: the server's word, or `network` where there was none. */
export class ApiError extends Error {
  override name = "ApiError";
  /** 0 where no answer came. */
  readonly status: number;
  readonly code: ErrorCode | "network";
  readonly fields: Record<string, FieldIssue>;
  /** Seconds until the call may be repeated. */
  readonly retryAfter: number | null;
  /** Tries left before a code or a password locks. */
  readonly attemptsLeft: number | null;

  constructor(status: number, code: ErrorCode | "network", details: Partial<ErrorResponse> = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.fields = details.fields ?? {};
    this.retryAfter = details.retryAfter ?? null;
    this.attemptsLeft = details.attemptsLeft ?? null;
  }
}

/** A failure in a form that this page does not know: a newer server's, or not ours at all. */
export class UnrecognizedError extends ApiError {
  /** The answer's body. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(status, "internal");
    this.body = body;
  }
}

/** What is read of a response. */
export type ApiResponse = Pick<Response, "ok" | "status"> & { json: () => Promise<unknown> };

/** Reads the body of a failed answer; one that is no problem of ours counts as `internal`. */
export async function parseApiError(response: ApiResponse): Promise<ApiError> {
  const body = await response.json().catch(() => null);
  const parsed = z.safeParse(errorResponse, body);
  if (parsed.success) return new ApiError(response.status, parsed.data.code, parsed.data);
  return body === null
    ? new ApiError(response.status, "internal")
    : new UnrecognizedError(response.status, body);
}

/** The code of any failure, for its words. */
export function errorCodeOf(error: unknown): ErrorCode | "network" {
  return error instanceof ApiError ? error.code : "internal";
}
