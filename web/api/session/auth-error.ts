/** The message of a renewal that failed without a known error. */
export const RENEWAL_FAILED = "Token refresh failed";

/** The refusal of the identity provider or the library, by the provider's error type. */
export class AuthError extends Error {
  override name = "AuthError";
  /** The provider's type, such as `NotAuthorizedException`, or one of `REFUSALS`' names, or `Unknown`. */
  readonly code: string;
  /** From when on the step may be repeated, in epoch ms; null if nothing says so. */
  readonly retryAt: number | null;

  constructor(code: string, message: string, retryAt: number | null = null) {
    super(message);
    this.code = code;
    this.retryAt = retryAt;
  }
}

/** Errors that the page itself raises. */
const LOCAL_MESSAGES = {
  NewPasswordRequired: "New password required. This flow is not implemented yet.",
  MfaRequired: "MFA required. This flow is not implemented yet.",
  SignUpWithoutResult: "Sign up failed - no result returned",
  NoRefreshToken: "No refresh token available",
  UsernameMissing: "Username is null. Cannot retrieve a new session",
  NotAuthenticated: "User is not authenticated",
  UserNotFetched: "Failed to fetch user data",
  StatusNotFetched: "Failed to fetch status",
  NetworkError: "Network error",
  PasskeyCanceled: "No passkey was used",
  PasskeyKnown: "The device has a passkey for this account",
  PasskeyOfAnother: "The passkey opens another account",
} as const;

export function localAuthError(code: keyof typeof LOCAL_MESSAGES): AuthError {
  return new AuthError(code, LOCAL_MESSAGES[code]);
}

/** Whether no answer came: the provider may have done the step. */
export function isNetworkError(error: unknown): boolean {
  return error instanceof AuthError && error.code === "NetworkError";
}

/** Whether an operator disabled the account. */
export function isAccountDisabled(error: unknown): boolean {
  return (
    error instanceof AuthError &&
    error.code === "NotAuthorizedException" &&
    error.message.includes("User is disabled")
  );
}
