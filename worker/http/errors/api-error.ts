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
export type ApiErrorDetails = Pick<
  ErrorResponse,
  "fields" | "retryAfter" | "attemptsLeft" | "verificationUrl"
>;

/** An error that the caller gets as a response. The app's error handler builds it. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: ErrorCode;
  readonly details: ApiErrorDetails;

  constructor(code: ErrorCode, details: ApiErrorDetails = {}) {
    super(code);
    // The driver's object may be of a later release, and have codes that this Worker has no status for.
    this.code = code in ERROR_STATUS ? code : "internal";
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

type Issue = {
  path: PropertyKey[];
  code: string;
  input?: unknown;
  origin?: string;
  /** Of a union: the issues of each member, whose paths begin there. */
  errors?: readonly (readonly Issue[])[];
};

/** Issues of a member of a union that has all of its fields, but not as they must be. */
const OF_VALUES = ["too_small", "too_big", "invalid_format", "custom"];

/** `invalid_request` with the issues of a zod error, by path. Of a union those of the member that was meant. */
export function invalidRequest(issues: readonly Issue[]): ApiError {
  const fields = Object.fromEntries(
    issues.flatMap(meantIssues).map((issue) => [issue.path.map(String).join("."), toFieldIssue(issue)]),
  );
  return new ApiError("invalid_request", { fields });
}

/** The member of a union that was meant is the only one of which all fields are there. */
function meantIssues(issue: Issue): readonly Issue[] {
  const { path, errors = [] } = issue;
  const [meant, ...others] = errors.filter((member) => member.every(({ code }) => OF_VALUES.includes(code)));
  if (!meant || others.length > 0) return [issue];
  return meant.map((each) => ({ ...each, path: [...path, ...each.path] }));
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
