import * as z from "zod/mini";
import { readShape } from "../../../db/shapes/tolerant.ts";
import {
  errorCode,
  errorResponse,
  type ErrorCode,
  type FieldIssue,
  type ErrorResponse,
} from "../../../worker/contract/error-response.ts";
import { REQUEST_ID_HEADER } from "../../../worker/contract/headers.ts";
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
  /** The platform's page on which the driver verifies themselves. */
  readonly verificationUrl: string | null;

  constructor(status: number, code: ErrorCode | "network", details: RequestErrorDetails = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.requestId = details.requestId ?? null;
    this.fields = details.fields ?? {};
    this.retryAfter = details.retryAfter ?? null;
    this.attemptsLeft = details.attemptsLeft ?? null;
    this.verificationUrl = details.verificationUrl ?? null;
  }
}

/** An error whose body this page doesn't know: a newer server's, or not ours. */
export class UnrecognizedError extends RequestError {
  /** The response body. */
  readonly body: unknown;

  constructor(status: number, body: unknown, details: RequestErrorDetails) {
    super(status, "internal", details);
    this.body = body;
  }
}

/** The parts of a response that are read. */
export type ApiResponse = Pick<Response, "ok" | "status" | "headers"> & { json: () => Promise<unknown> };

/** An error of any release: its code may be a newer one. */
const anyError = z.extend(errorResponse, { code: z.string() });

/**
 * Parses the body of a failed response. A body that isn't ours counts as `internal`; if the connection broke within the body,
 * it counts as no response.
 */
export async function parseRequestError(response: ApiResponse): Promise<RequestError> {
  let body: unknown = null;
  try {
    body = await response.json();
  } catch (error) {
    if (!(error instanceof SyntaxError)) return new RequestError(0, "network");
  }
  const details = parseError(body);
  const { data: code } = z.safeParse(errorCode, details?.code);
  if (details && code !== undefined) {
    const error = new RequestError(response.status, code, { ...details, code });
    if (code === "maintenance") noteMaintenance(error.retryAfter);
    return error;
  }
  const requestId = response.headers.get(REQUEST_ID_HEADER);
  if (body === null) return new RequestError(response.status, "internal", { requestId });
  return new UnrecognizedError(response.status, body, { ...details, code: "internal", requestId });
}

function parseError(body: unknown): z.output<typeof anyError> | null {
  try {
    return readShape(anyError, body);
  } catch {
    return null;
  }
}

/** The request id of an error that the driver can't fix; null for any other. */
export function errorRequestId(error: unknown): string | null {
  return error instanceof RequestError && error.code === "internal" ? error.requestId : null;
}

/** The code of any error, which selects its message. */
export function errorCodeOf(error: unknown): ErrorCode | "network" {
  return error instanceof RequestError ? error.code : "internal";
}
