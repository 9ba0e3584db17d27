import { AuthError } from "../../api/auth-error.ts";
import { m } from "../../messages/messages.js";

/** What failed, and what to do about it where that is known. */
export type AuthWords = { title: string; hint?: string };

type Say = () => string;
type Entry = { title?: Say; hint?: Say; field?: "phone" | "code" | "password" | "present" };
type Table = { otherwise: Say; hint?: Say; codes: Record<string, Entry> };

/** The steps that can fail, each with its own words. */
export type AuthStep = "signIn" | "signUp" | "confirm" | "resend" | "forgot" | "reset" | "change";

/** What is said alike at every step. */
const ANYWHERE: Record<string, Entry> = {
  NetworkError: { title: m.auth_network, hint: m.auth_network_hint },
  NewPasswordRequired: { title: m.auth_new_password_required },
  MfaRequired: { title: m.auth_mfa_required },
  SignUpWithoutResult: { title: m.auth_sign_up_no_result },
  NoRefreshToken: { title: m.auth_no_refresh_token },
  UsernameMissing: { title: m.auth_username_missing },
  NotAuthenticated: { title: m.auth_not_authenticated },
};

const TOO_MANY = { hint: m.auth_too_many_hint };
const MANY_REQUESTS = { title: m.auth_too_many };

const WRONG_CODE: Entry = { hint: m.code_wrong_hint, field: "code" };
const OLD_CODE: Entry = { hint: m.code_expired_hint, field: "code" };

const STEPS = {
  signIn: {
    otherwise: m.login_failed,
    codes: {
      NotAuthorizedException: { hint: m.login_failed_hint },
      UserNotFoundException: { hint: m.login_failed_hint },
      UserNotConfirmedException: { title: m.login_unverified },
      TooManyRequestsException: TOO_MANY,
      LimitExceededException: TOO_MANY,
      PasswordResetRequiredException: { hint: m.login_reset_hint },
    },
  },
  signUp: {
    otherwise: m.register_failed,
    codes: {
      UsernameExistsException: { hint: m.register_exists_hint, field: "phone" },
      InvalidPasswordException: { hint: m.reset_password_weak, field: "password" },
      TooManyRequestsException: TOO_MANY,
      LimitExceededException: TOO_MANY,
    },
  },
  confirm: {
    otherwise: m.code_failed,
    codes: {
      CodeMismatchException: WRONG_CODE,
      ExpiredCodeException: OLD_CODE,
      TooManyRequestsException: TOO_MANY,
      LimitExceededException: TOO_MANY,
      TooManyFailedAttemptsException: TOO_MANY,
    },
  },
  resend: {
    otherwise: m.resend_failed,
    codes: { TooManyRequestsException: TOO_MANY, LimitExceededException: TOO_MANY },
  },
  forgot: {
    otherwise: m.forgot_failed,
    codes: {
      UserNotFoundException: { title: m.forgot_no_account, field: "phone" },
      TooManyRequestsException: MANY_REQUESTS,
      LimitExceededException: MANY_REQUESTS,
    },
  },
  reset: {
    otherwise: m.reset_failed,
    codes: {
      CodeMismatchException: { title: m.reset_code_wrong, field: "code" },
      ExpiredCodeException: { title: m.reset_code_expired, field: "code" },
      InvalidPasswordException: { title: m.reset_password_weak, field: "password" },
      TooManyRequestsException: MANY_REQUESTS,
      LimitExceededException: MANY_REQUESTS,
      TooManyFailedAttemptsException: MANY_REQUESTS,
    },
  },
  change: {
    otherwise: m.change_failed,
    codes: {
      NotAuthorizedException: { title: m.change_present_wrong, field: "present" },
      InvalidPasswordException: { title: m.change_password_weak, field: "password" },
      NotAuthenticated: { title: m.change_sign_in_again },
      NoRefreshToken: { title: m.change_sign_in_again },
      UsernameMissing: { title: m.change_sign_in_again },
      SessionEnded: { title: m.change_sign_in_again },
      TooManyRequestsException: MANY_REQUESTS,
      LimitExceededException: MANY_REQUESTS,
    },
  },
} satisfies Record<AuthStep, Table>;

/** What a failure of a step is called, in the language of the page, and the field it belongs to. */
export function explainAuth(
  step: AuthStep,
  error: unknown,
): { words: AuthWords; field?: "phone" | "code" | "password" | "present" } {
  const { otherwise, codes }: Table = STEPS[step];
  const code = error instanceof AuthError ? error.code : "Unknown";
  const entry = codes[code] ?? ANYWHERE[code] ?? {};
  const title = (entry.title ?? otherwise)();
  const words = entry.hint ? { title, hint: entry.hint() } : { title };
  return entry.field ? { words, field: entry.field } : { words };
}

/** Title and hint as one text, for beneath a field. */
export function sayInOne({ title, hint }: AuthWords): string {
  if (!hint) return title;
  return /[.!?]$/.test(title) ? `${title} ${hint}` : `${title}. ${hint}`;
}
