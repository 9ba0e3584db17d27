import * as z from "zod/mini";
import type { ApiRoute } from "./api-route.ts";

/** POST /flex/v1/errors, sealed: an error on a signed-in driver's page. */
export const errorReport = z.object({
  /** Where it was caught, as in `error_page`. */
  caller: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string().check(z.maxLength(128)),
  message: z.string().check(z.maxLength(2_000)),
  /** Missing where something was thrown that has none. */
  stack: z._default(z.nullable(z.string().check(z.maxLength(16_000))), null),
});
export type ErrorReport = z.infer<typeof errorReport>;

/**
 * POST /status/errors, plain: an error on a visitor's page. Without its message, which may quote what somebody typed; of
 * the stack only the lines that name a place are kept.
 */
export const visitorErrorReport = z.strictObject({
  caller: z.string().check(z.minLength(1), z.maxLength(64)),
  name: z.string().check(z.maxLength(128)),
  stack: z.nullable(z.string().check(z.maxLength(4_000))),
});
export type VisitorErrorReport = z.infer<typeof visitorErrorReport>;

/** Reports of what broke in a page. */
export const ERROR_REPORT_ROUTES = {
  "POST /status/errors": {
    summary: "Reports what broke in a visitor's page.",
    auth: "none",
    body: visitorErrorReport,
    responses: { 204: null },
    errors: ["rate_limited", "too_large"],
  },
  "POST /flex/v1/errors": {
    summary: "Reports what broke in a page.",
    auth: "bearer",
    body: errorReport,
    responses: { 204: null },
    errors: ["rate_limited"],
  },
} as const satisfies Record<string, ApiRoute>;
