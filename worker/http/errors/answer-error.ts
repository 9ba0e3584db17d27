import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { Deps } from "../../../durable/deps.ts";
import { ConfigError } from "../../../durable/runtime/config.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import { CardProcessorError } from "../../payments/stripe/responses.ts";
import { ApiError } from "./api-error.ts";
import type { AppEnv } from "../app-env.ts";
import { noteSecurity } from "../gate/note-security.ts";
import { answerPlainPage, opensPage } from "../pages/plain-page.ts";
import type { ErrorCode } from "../../contract/error-response.ts";
import { requestLog } from "../request-scope.ts";
import { requestFacts } from "./track-request.ts";

/** Refusals that an attack leaves behind it. They are logged and not stored. */
const SECURITY_CODES: Partial<Record<ErrorCode, "forbidden" | "limit_reached">> = {
  forbidden: "forbidden",
  sign_in_again: "forbidden",
  rate_limited: "limit_reached",
  payments_paused: "limit_reached",
};

/**
 * Responds to a call that threw. For an unexpected error, the caller gets only the request id, and the log everything
 * but messages.
 */
export function answerError(error: Error, c: Context<AppEnv>): Response {
  const apiError = toApiError(error);
  c.set("errorCode", apiError.code);
  if (error instanceof ConfigError) requestLog("error", "config.invalid", { problem: error.message });
  const security = SECURITY_CODES[apiError.code];
  // Missing where the request was refused before the isolate's parts were there: then nothing knows the caller either.
  const deps: Deps | undefined = c.get("deps");
  // A line in the log, written before anything is awaited.
  if (security !== undefined && deps !== undefined)
    void noteSecurity(c, security, { facts: { code: apiError.code } });
  if (apiError.code === "internal") {
    requestLog("error", "request.failed", { ...requestFacts(c), ...describeError(error) });
  }
  if (apiError.details.retryAfter !== undefined) c.header("retry-after", String(apiError.details.retryAfter));
  const isOutage = apiError.status === 500 || apiError.status === 503;
  if (isOutage && opensPage(c.req.raw)) return answerPlainPage(c, apiError);
  return c.json(apiError.toResponse(c.get("requestId")), apiError.status);
}

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CardProcessorError) {
    return new ApiError(error.kind === "unreachable" ? "payments_unreachable" : "cards_unavailable");
  }
  if (error instanceof HTTPException && error.status < 500) return new ApiError("invalid_request");
  return new ApiError("internal");
}
