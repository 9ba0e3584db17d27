import type { ErrorCode } from "../../../worker/contract/error-response.ts";
import { RequestError, errorCodeOf } from "../../api/client/request-error.ts";
import { retryAfterMs, type LinkingEndReason } from "../../api/queries/setup.ts";
import { m } from "../../messages/messages.js";
import type { FormMessage } from "../../ui/notices.tsx";
import { countInputs, DEVICE_TIME_ZONE, formatUntil } from "../language/format.ts";
import { errorMessage } from "../language/error-messages.ts";
import { serverNow } from "../../early/server-clock.ts";

type MessageFunction = () => string;

/** The steps of linking that can fail, each with its own titles. */
const ERROR_TITLES = {
  credentials: {
    link_credentials_wrong: m.linking_failed,
    link_locked: m.linking_failed,
    link_paused: m.linking_failed,
    rate_limited: m.linking_failed,
  },
  code: {
    link_code_expired: m.linking_setup_failed,
    link_denied: m.linking_setup_failed,
    link_expired: m.linking_setup_failed,
    link_account_taken: m.linking_setup_failed,
    link_locked: m.linking_setup_failed,
    link_paused: m.linking_setup_failed,
    rate_limited: m.linking_setup_failed,
  },
} satisfies Record<string, Partial<Record<ErrorCode, MessageFunction>>>;

type UntilMessage = (inputs: { until: string }) => string;

/** Refusals whose end is known: ours after wrong tries, and the platform's where it says so. */
const UNTIL_MESSAGES: Partial<Record<string, UntilMessage>> = {
  link_paused: m.linking_paused_until,
  link_locked: m.linking_locked_until,
};

/** Errors that the driver can fix get their step's title; any other is shown as ours or the platform's. */
export function linkingErrorMessage(step: keyof typeof ERROR_TITLES, error: unknown): FormMessage {
  const code = errorCodeOf(error);
  if (code === "unauthenticated") return { title: m.linking_unauthenticated() };
  const titles: Partial<Record<string, MessageFunction>> = ERROR_TITLES[step];
  const title = (titles[code] ?? m.linking_trouble)();
  if (code === "verification_required")
    return { title, hint: errorMessage(error), pageUrl: verificationUrlOf(error) };
  const untilMessage: UntilMessage | undefined = UNTIL_MESSAGES[code];
  const waitMs = retryAfterMs(error);
  if (!untilMessage || waitMs === 0) return { title, hint: errorMessage(error) };
  const now = serverNow();
  const until = formatUntil(now + waitMs, { now, timeZone: DEVICE_TIME_ZONE });
  return { title, hint: untilMessage({ until }) };
}

/** Where the driver verifies themselves; null if an error isn't about that, or the platform doesn't say. */
export function verificationUrlOf(error: unknown): string | null {
  return error instanceof RequestError ? error.verificationUrl : null;
}

/** Of a wrong code, with the tries that are left; `undefined` of any other failure. */
export function wrongCodeMessage(error: unknown): string | undefined {
  if (!(error instanceof RequestError) || error.code !== "link_code_wrong") return undefined;
  const attemptsLeft = error.attemptsLeft;
  if (attemptsLeft === null) return m.problem_link_code_wrong();
  if (attemptsLeft === 0) return m.linking_code_spent();
  return m.linking_code_wrong(countInputs(attemptsLeft));
}

const END_MESSAGES = {
  link_denied: m.problem_link_denied,
  link_expired: m.problem_link_expired,
  link_account_taken: m.problem_link_account_taken,
  code_attempts_exhausted: m.linking_code_spent,
} satisfies Record<LinkingEndReason, MessageFunction>;

/** Why the linking that was in progress is over. */
export function endReasonMessage(endReason: LinkingEndReason): FormMessage {
  return { title: m.linking_setup_failed(), hint: END_MESSAGES[endReason]() };
}
