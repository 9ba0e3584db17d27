import type { ErrorCode } from "../../../worker/contract/error-response.ts";
import { errorCodeOf, errorRequestId, UnrecognizedError } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { currentLocale } from "./locale.ts";
import * as z from "zod/mini";

const ERROR_MESSAGES = {
  network: m.problem_network,
  invalid_request: m.problem_invalid_request,
  unauthenticated: m.problem_unauthenticated,
  sign_in_again: m.problem_sign_in_again,
  passkeys_held: m.problem_passkeys_held,
  passkeys_full: m.problem_passkeys_full,
  forbidden: m.problem_forbidden,
  not_found: m.problem_not_found,
  conflict: m.problem_conflict,
  stale_version: m.problem_stale_version,
  too_large: m.problem_too_large,
  rate_limited: m.problem_rate_limited,
  seal_required: m.problem_seal_required,
  seal_expired: m.problem_seal_expired,
  seal_broken: m.problem_seal_broken,
  ticket_invalid: m.problem_ticket_invalid,
  filters_incomplete: m.problem_filters_incomplete,
  no_service: m.problem_no_service,
  not_linked: m.problem_not_linked,
  link_credentials_wrong: m.problem_link_credentials_wrong,
  link_locked: m.problem_link_locked,
  link_account_taken: m.problem_link_account_taken,
  link_paused: m.problem_link_paused,
  link_code_wrong: m.problem_link_code_wrong,
  link_code_expired: m.problem_link_code_expired,
  link_denied: m.problem_link_denied,
  link_expired: m.problem_link_expired,
  verification_required: m.problem_verification_required,
  platform_unreachable: m.problem_platform_unreachable,
  platform_refused: m.problem_platform_refused,
  price_changed: m.problem_price_changed,
  points_short: m.problem_points_short,
  already_paid: m.problem_already_paid,
  waiting_for_spot: m.problem_waiting_for_spot,
  spot_gone: m.problem_spot_gone,
  payment_processing: m.problem_payment_processing,
  payments_paused: m.problem_payments_paused,
  card_disputed: m.problem_card_disputed,
  code_wrong: m.problem_code_wrong,
  code_expired: m.problem_code_expired,
  text_not_sent: m.problem_text_not_sent,
  texts_stopped: m.problem_texts_stopped,
  own_number: m.problem_own_number,
  already_registered: m.problem_already_registered,
  already_invited: m.problem_already_invited,
  invitations_used_up: m.problem_invitations_used_up,
  undo_expired: m.problem_undo_expired,
  cards_unavailable: m.problem_cards_unavailable,
  payments_unreachable: m.problem_payments_unreachable,
  maintenance: m.problem_maintenance,
  internal: m.problem_internal,
} satisfies Record<ErrorCode | "network", () => string>;

const errorBody = z.object({ message: z.union([z.string(), z.record(z.string(), z.unknown())]) });

/**
 * The message of a failure, in the language of the page: it may have changed since the server answered. A failure that
 * this page does not know speaks for itself.
 */
export function errorText(error: unknown): string {
  if (error instanceof UnrecognizedError)
    return extractMessage(error.body, currentLocale()) ?? m.problem_default();
  return ERROR_MESSAGES[errorCodeOf(error)]();
}

/** The same, with the request id if the driver can't fix the error. */
export function errorMessage(error: unknown): string {
  const requestId = errorRequestId(error);
  const text = errorText(error);
  return requestId === null ? text : `${text} (${m.error_reference({ id: requestId })})`;
}

/** The message in a response: in the page's language, else in Spanish, else the plain string; null where it has none. */
export function extractMessage(body: unknown, language: string): string | null {
  const { data } = z.safeParse(errorBody, body);
  if (!data) return null;
  const { message } = data;
  const found = typeof message === "string" ? [message] : [message[language], message["es"]];
  return found.find((text) => typeof text === "string" && text !== "")?.toString() ?? null;
}
