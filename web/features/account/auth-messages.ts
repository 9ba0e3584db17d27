import { AuthError, isAccountDisabled } from "../../api/session/auth-error.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { DEVICE_TIME_ZONE, formatUntil } from "../language/format.ts";
import { m } from "../../messages/messages.js";
import type { SubmitIssue } from "../../ui/form/submit-options.ts";
import type { FormMessage } from "../../ui/notices.tsx";
import { serverNow } from "../../early/server-clock.ts";

type MessageFunction = () => string;
type AuthMessageEntry = {
  title?: MessageFunction;
  hint?: MessageFunction;
  field?: "phone" | "code" | "password" | "present";
};
type StepMessages = {
  fallback: MessageFunction;
  hint?: MessageFunction;
  codes: Record<string, AuthMessageEntry>;
};

/** The steps that can fail, each with its own messages. */
export type AuthStep =
  | "signIn"
  | "signInAgain"
  | "passkey"
  | "signUp"
  | "confirm"
  | "resend"
  | "forgot"
  | "reset"
  | "change";

const NOT_DELIVERED: AuthMessageEntry = { title: m.auth_code_not_sent, hint: m.auth_code_not_sent_hint };
const NO_TEXTS: AuthMessageEntry = { title: m.auth_number_no_texts, field: "phone" };
const DISABLED: AuthMessageEntry = { hint: m.login_disabled_hint };
const STOPPED: AuthMessageEntry = { title: m.auth_number_stopped };
const PRESENT_WRONG: AuthMessageEntry = { title: m.change_present_wrong, field: "present" };
const PASSWORD_USED: AuthMessageEntry = { title: m.change_password_same, field: "password" };
const UNCONFIRMED: AuthMessageEntry = { title: m.forgot_unconfirmed, field: "phone" };

/** Messages that every step shares. */
const COMMON_MESSAGES: Record<string, AuthMessageEntry> = {
  NetworkError: { title: m.auth_network, hint: m.auth_network_hint },
  CodeDeliveryFailureException: NOT_DELIVERED,
  ChallengeOpen: { title: m.register_challenge_required },
  UserLambdaValidationException: { title: m.auth_challenge_needed },
  NewPasswordRequired: { title: m.auth_new_password_required },
  MfaRequired: { title: m.auth_mfa_required },
  SignUpWithoutResult: { title: m.auth_sign_up_no_result },
  NoRefreshToken: { title: m.auth_no_refresh_token },
  UsernameMissing: { title: m.auth_username_missing },
  NotAuthenticated: { title: m.auth_not_authenticated },
  PasskeyCanceled: { title: m.passkey_canceled },
  PasskeyKnown: { title: m.passkey_known },
  PasskeyOfAnother: { title: m.passkey_of_another },
};

const COMMON_PASSWORD: AuthMessageEntry = { hint: m.account_password_common, field: "password" };

const CONTEXT_PASSWORD: AuthMessageEntry = { hint: m.account_password_context, field: "password" };

const TOO_MANY_HINT = { hint: m.auth_too_many_hint };
const TOO_MANY_TITLE = { title: m.auth_too_many };

const WRONG_CODE: AuthMessageEntry = { hint: m.code_wrong_hint, field: "code" };
const EXPIRED_CODE: AuthMessageEntry = { hint: m.code_expired_hint, field: "code" };

const STEP_MESSAGES = {
  signIn: {
    fallback: m.login_failed,
    codes: {
      NotAuthorizedException: { hint: m.login_failed_hint },
      UserNotFoundException: { hint: m.login_failed_hint },
      UserNotConfirmedException: { title: m.login_unverified },
      TooManyRequestsException: TOO_MANY_HINT,
      LimitExceededException: TOO_MANY_HINT,
      PasswordResetRequiredException: { hint: m.login_reset_hint },
    },
  },
  signInAgain: {
    fallback: m.sign_in_again_failed,
    codes: {
      NotAuthorizedException: {
        title: m.sign_in_again_wrong,
        hint: m.sign_in_again_wrong_hint,
        field: "password",
      },
      NotAuthenticated: { title: m.change_sign_in_again },
      PasswordResetRequiredException: { hint: m.sign_in_again_forgot },
      TooManyRequestsException: TOO_MANY_HINT,
      LimitExceededException: TOO_MANY_HINT,
    },
  },
  passkey: {
    fallback: m.login_failed,
    codes: {
      NotAuthorizedException: { hint: m.passkey_wrong_hint },
      TooManyRequestsException: TOO_MANY_HINT,
    },
  },
  signUp: {
    fallback: m.register_failed,
    codes: {
      InvalidParameterException: NO_TEXTS,
      UserLambdaValidationException: { title: m.register_challenge_failed },
      UsernameExistsException: { hint: m.register_exists_hint, field: "phone" },
      InvalidPasswordException: { hint: m.reset_password_weak, field: "password" },
      TooManyRequestsException: TOO_MANY_HINT,
      LimitExceededException: TOO_MANY_HINT,
    },
  },
  confirm: {
    fallback: m.code_failed,
    codes: {
      CodeMismatchException: WRONG_CODE,
      ExpiredCodeException: EXPIRED_CODE,
      TooManyRequestsException: TOO_MANY_HINT,
      LimitExceededException: TOO_MANY_HINT,
      TooManyFailedAttemptsException: TOO_MANY_HINT,
    },
  },
  resend: {
    fallback: m.resend_failed,
    codes: { TooManyRequestsException: TOO_MANY_HINT, LimitExceededException: TOO_MANY_HINT },
  },
  forgot: {
    fallback: m.forgot_failed,
    codes: {
      UserNotFoundException: { title: m.forgot_no_account, field: "phone" },
      InvalidParameterException: NO_TEXTS,
      TooManyRequestsException: TOO_MANY_TITLE,
      LimitExceededException: TOO_MANY_TITLE,
    },
  },
  reset: {
    fallback: m.reset_failed,
    codes: {
      CodeMismatchException: { title: m.reset_code_wrong, field: "code" },
      ExpiredCodeException: { title: m.reset_code_expired, field: "code" },
      InvalidPasswordException: { title: m.reset_password_weak, field: "password" },
      PasswordHistoryPolicyViolationException: PASSWORD_USED,
      TooManyRequestsException: TOO_MANY_TITLE,
      LimitExceededException: TOO_MANY_TITLE,
      TooManyFailedAttemptsException: TOO_MANY_TITLE,
    },
  },
  change: {
    fallback: m.change_failed,
    codes: {
      NotAuthorizedException: PRESENT_WRONG,
      InvalidPasswordException: { title: m.change_password_weak, field: "password" },
      PasswordHistoryPolicyViolationException: PASSWORD_USED,
      NotAuthenticated: { title: m.change_sign_in_again },
      NoRefreshToken: { title: m.change_sign_in_again },
      UsernameMissing: { title: m.change_sign_in_again },
      SessionEnded: { title: m.change_sign_in_again },
      TooManyRequestsException: TOO_MANY_TITLE,
      LimitExceededException: TOO_MANY_TITLE,
    },
  },
} satisfies Record<AuthStep, StepMessages>;

/** The message for a failed step, in the language of the page, and the field that it belongs to. */
export function describeAuthError(step: AuthStep, error: unknown): SubmitIssue {
  const { fallback, codes }: StepMessages = STEP_MESSAGES[step];
  const code = error instanceof AuthError ? error.code : "Unknown";
  const entry = isStopped(error)
    ? STOPPED
    : {
        ...(codes[code] ?? COMMON_MESSAGES[code]),
        ...(isPasswordRefused(error, "cannot be used for security reasons") ? COMMON_PASSWORD : {}),
        ...(isPasswordRefused(error, "cannot be made of") ? CONTEXT_PASSWORD : {}),
        ...(isNumberUnconfirmed(error) ? UNCONFIRMED : {}),
        ...(isPresentRefused(error) ? PRESENT_WRONG : {}),
        ...(isAccountDisabled(error) ? DISABLED : {}),
      };
  const title = (entry.title ?? fallback)();
  const retryAt = error instanceof AuthError ? error.retryAt : null;
  const hint = retryAt === null ? entry.hint?.() : lockHint(retryAt);
  const message = hint ? { title, hint } : { title };
  return entry.field ? { message, fields: { [entry.field]: joinMessage(message) } } : { message };
}

/** The page checks the other rules itself. */
function isPasswordRefused(error: unknown, reason: string): boolean {
  return (
    error instanceof AuthError && error.code === "InvalidPasswordException" && error.message.includes(reason)
  );
}

/** The number's owner replied STOP to our texts. */
function isStopped(error: unknown): boolean {
  return (
    error instanceof AuthError &&
    error.code === "CodeDeliveryFailureException" &&
    error.message.includes("opted out")
  );
}

/** A code can set no password of an account whose own code was never entered. */
function isNumberUnconfirmed(error: unknown): boolean {
  return (
    error instanceof AuthError &&
    error.code === "InvalidParameterException" &&
    error.message.includes("no registered/verified")
  );
}

/** The provider compares no present password of a form that none can have, such as with a space at an end. */
function isPresentRefused(error: unknown): boolean {
  return (
    error instanceof AuthError &&
    error.code === "InvalidParameterException" &&
    error.message.includes("'previousPassword'")
  );
}

function lockHint(retryAt: EpochMs): string {
  const reading = { now: serverNow(), timeZone: DEVICE_TIME_ZONE };
  return m.login_locked_hint({ until: formatUntil(retryAt, reading) });
}

/** Title and hint as one text, for beneath a field. */
function joinMessage({ title, hint }: FormMessage): string {
  if (!hint) return title;
  return /[.!?]$/.test(title) ? `${title} ${hint}` : `${title}. ${hint}`;
}
