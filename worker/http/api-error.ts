import type { ContentfulStatusCode } from "hono/utils/http-status";
import { formatMessage } from "../../locales/format-message.ts";
import type { ErrorCode, FieldIssue, ErrorResponse } from "../contract/error-response.ts";

const STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  stale_version: 412,
  too_large: 413,
  rate_limited: 429,
  seal_required: 400,
  seal_expired: 400,
  seal_broken: 400,
  ticket_invalid: 401,
  filters_incomplete: 409,
  no_service: 402,
  not_linked: 409,
  link_credentials_wrong: 422,
  link_locked: 423,
  link_code_wrong: 422,
  link_code_expired: 410,
  link_denied: 409,
  link_expired: 410,
  verification_required: 409,
  platform_unreachable: 503,
  price_changed: 409,
  points_short: 409,
  already_paid: 409,
  waiting_for_spot: 409,
  cards_unavailable: 503,
  payments_unreachable: 503,
  internal: 500,
} as const satisfies Record<ErrorCode, ContentfulStatusCode>;

/** What a failure may carry beside its code. */
export type ApiErrorDetails = Pick<ErrorResponse, "fields" | "retryAfter" | "attemptsLeft">;

/** Thrown by whoever finds that a call can't be answered; the one error handler turns it into a response. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly details: ApiErrorDetails;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }

  get status(): ContentfulStatusCode {
    return STATUS[this.code];
  }

  toResponse(requestId: string): ErrorResponse {
    const key = `problem_${this.code}` as const;
    const message = {
      en: formatMessage("en", key),
      es: formatMessage("es", key),
      pt: formatMessage("pt", key),
    };
    return { code: this.code, message, requestId, ...this.details };
  }
}

/** `invalid_request` with the issues of a zod error, by path. */
export function invalidRequest(
  issues: readonly { path: PropertyKey[]; code: string; input?: unknown; origin?: string }[],
): ApiError {
  const fields = Object.fromEntries(
    issues.map((issue) => [issue.path.map(String).join("."), toFieldIssue(issue)]),
  );
  return new ApiError("invalid_request", { fields });
}

function toFieldIssue(issue: { code: string; input?: unknown; origin?: string }): FieldIssue {
  switch (issue.code) {
    case "too_small":
      return "too_small";
    case "too_big":
      return issue.origin === "string" ? "too_long" : "too_large";
    case "invalid_type":
      return issue.input === undefined ? "required" : "invalid";
    default:
      return "invalid";
  }
}
