import * as z from "zod/mini";
import { texts } from "../../db/shapes/language.ts";
import { readsAs } from "../../db/shapes/tolerant.ts";

/** Every error code of the API. A new one needs a status and a message. */
export const ERROR_CODES = [
  "invalid_request",
  "unauthenticated",
  "sign_in_again",
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
  "link_account_taken",
  "link_paused",
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
  "spot_gone",
  "payment_processing",
  "payments_paused",
  "card_disputed",
  "code_wrong",
  "code_expired",
  "text_not_sent",
  "texts_stopped",
  "own_number",
  "already_registered",
  "already_invited",
  "invitations_used_up",
  "undo_expired",
  "passkeys_held",
  "passkeys_full",
  "cards_unavailable",
  "payments_unreachable",
  "maintenance",
  "internal",
] as const;
export const errorCode = z.enum(ERROR_CODES);
export type ErrorCode = z.infer<typeof errorCode>;

/** The status of each error. */
export const ERROR_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  sign_in_again: 403,
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
  link_account_taken: 409,
  link_paused: 429,
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
  spot_gone: 410,
  payment_processing: 409,
  payments_paused: 429,
  card_disputed: 409,
  code_wrong: 422,
  code_expired: 410,
  text_not_sent: 503,
  texts_stopped: 409,
  own_number: 409,
  already_registered: 409,
  already_invited: 409,
  invitations_used_up: 429,
  undo_expired: 410,
  passkeys_held: 409,
  passkeys_full: 409,
  cards_unavailable: 503,
  payments_unreachable: 503,
  maintenance: 503,
  internal: 500,
} as const satisfies Record<ErrorCode, number>;

/** The fault of a field: a message key of `locales/` without its `field_`. */
export const FIELD_ISSUES = [
  "required",
  "too_small",
  "too_large",
  "too_long",
  "invalid",
  "none_selected",
] as const;
export type FieldIssue = (typeof FIELD_ISSUES)[number];

/** The body of every error response. `fields` has the invalid ones by path, as in `warehouses.0.minPriceCents`. */
export const errorResponse = z.object({
  code: errorCode,
  message: texts,
  /** As in the header. */
  requestId: z.string(),
  fields: z.optional(z.record(z.string(), readsAs(z.enum(FIELD_ISSUES), "invalid"))),
  /** Seconds until the call may be repeated. */
  retryAfter: z.optional(z.number()),
  /** Tries left before a code or a password locks. */
  attemptsLeft: z.optional(z.number()),
  /** The delivery platform's page on which the driver verifies themselves. */
  verificationUrl: z.optional(z.string()),
});
export type ErrorResponse = z.infer<typeof errorResponse>;
