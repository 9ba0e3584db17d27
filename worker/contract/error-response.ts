import * as z from "zod/mini";

/** Every way in which a call can fail. Closed: a new failure gets a code, a status and words. */
export const ERROR_CODES = [
  "invalid_request",
  "unauthenticated",
  "forbidden",
  "not_found",
  "conflict",
  "stale_version",
  "too_large",
  "rate_limited",
  "seal_required",
  "seal_expired",
  "seal_broken",
  "ticket_invalid",
  "filters_incomplete",
  "no_service",
  "not_linked",
  "link_credentials_wrong",
  "link_locked",
  "link_code_wrong",
  "link_code_expired",
  "link_denied",
  "link_expired",
  "verification_required",
  "platform_unreachable",
  "price_changed",
  "points_short",
  "already_paid",
  "waiting_for_spot",
  "cards_unavailable",
  "payments_unreachable",
  "internal",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** What is wrong with one field: a key of `locales/` under `field_`. */
export const FIELD_ISSUES = [
  "required",
  "too_small",
  "too_large",
  "too_long",
  "invalid",
  "none_selected",
] as const;
export type FieldIssue = (typeof FIELD_ISSUES)[number];

/** Names the request in every answer, so that what a driver saw can be found in the log. */
export const REQUEST_ID_HEADER = "x-request-id";

/** The body of every failure. `fields` names the faulty ones by path, as in `warehouses.0.minPriceCents`. */
export const errorResponse = z.object({
  code: z.enum(ERROR_CODES),
  message: z.object({ en: z.string(), es: z.string(), pt: z.string() }),
  /** As in the header. */
  requestId: z.string(),
  fields: z.optional(z.record(z.string(), z.enum(FIELD_ISSUES))),
  /** Seconds until the call may be repeated. */
  retryAfter: z.optional(z.number()),
  /** Tries left before a code or a password locks. */
  attemptsLeft: z.optional(z.number()),
});
export type ErrorResponse = z.infer<typeof errorResponse>;
