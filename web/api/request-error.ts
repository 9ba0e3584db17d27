import * as z from "zod/mini";
import {
  errorResponse,
  REQUEST_ID_HEADER,
  type ErrorCode,
  type FieldIssue,
  type ErrorResponse,
} from "../../worker/contract/error-response.ts";

type RequestErrorDetails = Partial<Omit<ErrorResponse, "requestId">> & { requestId?: string | null };

/** A call that failed: the server's word, or `network` where there was none. */
export class RequestError extends Error {
  override name = "RequestError";
  /** 0 where no answer came. */
  readonly status: number;
  readonly code: ErrorCode | "network";
  /** What the log knows the call by; null where no answer of ours came. */
  readonly requestId: string | null;
  readonly fields: Record<string, FieldIssue>;
  /** Seconds until the call may be repeated. */
  readonly retryAfter: number | null;
  /** Tries left before a code or a password locks. */
  readonly attemptsLeft: number | null;

  constructor(status: number, code: ErrorCode | "network", details: RequestErrorDetails = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.requestId = details.requestId ?? null;
    this.fields = details.fields ?? {};
    this.retryAfter = details.retryAfter ?? null;
    this.attemptsLeft = details.attemptsLeft ?? null;
  }
}

/** A failure in a form that this page does not know: a newer server's, or not ours at all. */
export class UnrecognizedError extends RequestError {
  /** The answer's body. */
  readonly body: unknown;

  constructor(status: number, body: unknown, requestId: string | null) {
    super(status, "internal", { requestId });
    this.body = body;
  }
}

/** What is read of a response. */
export type ApiResponse = Pick<Response, "ok" | "status" | "headers"> & { json: () => Promise<unknown> };

/** Reads the body of a failed answer; one that is no problem of ours counts as `internal`. */
export async function parseRequestError(response: ApiResponse): Promise<RequestError> {
  const body = await response.json().catch(() => null);
  const parsed = z.safeParse(errorResponse, body);
  if (parsed.success) return new RequestError(response.status, parsed.data.code, parsed.data);
  const requestId = response.headers.get(REQUEST_ID_HEADER);
  return body === null
    ? new RequestError(response.status, "internal", { requestId })
    : new UnrecognizedError(response.status, body, requestId);
}

/** What the log knows a failure by that the driver can't mend; null for every other. */
export function errorRequestId(error: unknown): string | null {
  return error instanceof RequestError && error.code === "internal" ? error.requestId : null;
}

/** The code of any failure, for its words. */
export function errorCodeOf(error: unknown): ErrorCode | "network" {
  return error instanceof RequestError ? error.code : "internal";
}
