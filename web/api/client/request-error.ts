import * as z from "zod/mini";
import {
  errorResponse,
  REQUEST_ID_HEADER,
  type ErrorCode,
  type FieldIssue,
  type ErrorResponse,
} from "../../../worker/contract/error-response.ts";
import { noteMaintenance } from "./maintenance.ts";

type RequestErrorDetails = Partial<Omit<ErrorResponse, "requestId">> & { requestId?: string | null };

/** A failed call: the server's error code, or `network` if there was no response. */
export class RequestError extends Error {
  override name = "RequestError";
  /** 0 if there was no response. */
  readonly status: number;
  readonly code: ErrorCode | "network";
  /** The request id in the log; null if there was no response of ours. */
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

/** An error body that this page doesn't know: a newer server's, or not ours. */
export class UnrecognizedError extends RequestError {
  /** The response body. */
  readonly body: unknown;

  constructor(status: number, body: unknown, requestId: string | null) {
    super(status, "internal", { requestId });
    this.body = body;
  }
}

/** The parts of a response that are read. */
export type ApiResponse = Pick<Response, "ok" | "status" | "headers"> & { json: () => Promise<unknown> };

/** Parses the body of a failed response; a body that isn't ours counts as `internal`. */
export async function parseRequestError(response: ApiResponse): Promise<RequestError> {
  const body = await response.json().catch(() => null);
  const parsed = z.safeParse(errorResponse, body);
  if (parsed.success) {
    const error = new RequestError(response.status, parsed.data.code, parsed.data);
    if (error.code === "maintenance") noteMaintenance(error.retryAfter);
    return error;
  }
  const requestId = response.headers.get(REQUEST_ID_HEADER);
  return body === null
    ? new RequestError(response.status, "internal", { requestId })
    : new UnrecognizedError(response.status, body, requestId);
}

/** The request id of an error that the driver can't fix; null for any other. */
export function errorRequestId(error: unknown): string | null {
  return error instanceof RequestError && error.code === "internal" ? error.requestId : null;
}

/** The code of any error, which selects its message. */
export function errorCodeOf(error: unknown): ErrorCode | "network" {
  return error instanceof RequestError ? error.code : "internal";
}
