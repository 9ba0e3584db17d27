import { LANGUAGES } from "../../../db/shapes/language.ts";
import { recordOf } from "../../../db/shapes/record-of.ts";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { formatMessage } from "../../../locales/format-message.ts";
import {
  ERROR_STATUS,
  type ErrorCode,
  type FieldIssue,
  type ErrorResponse,
} from "../../contract/error-response.ts";

/** The optional parts of an error response beside its code. */
export type ApiErrorDetails = Pick<ErrorResponse, "fields" | "retryAfter" | "attemptsLeft">;

/** An error that the caller gets as a response. The app's error handler builds it. */
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
    return ERROR_STATUS[this.code];
  }

  toResponse(requestId: string): ErrorResponse {
    const key = `problem_${this.code}` as const;
    const message = recordOf(LANGUAGES, (language) => formatMessage(language, key));
    return { code: this.code, message, requestId, ...this.details };
  }
}

type Issue = { path: PropertyKey[]; code: string; input?: unknown; origin?: string };

/** `invalid_request` with the issues of a zod error, by path. Of a union, zod gives those of the member that was meant. */
export function invalidRequest(issues: readonly Issue[]): ApiError {
  const fields = Object.fromEntries(
    issues.map((issue) => [issue.path.map(String).join("."), toFieldIssue(issue)]),
  );
  return new ApiError("invalid_request", { fields });
}

function toFieldIssue(issue: Issue): FieldIssue {
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
