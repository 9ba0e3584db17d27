import * as z from "zod/mini";
import { RequestError } from "../client/request-error.ts";

/** The message of each step of signing in or out, for failures without a known error. */
export const DEFAULT_MESSAGES = {
  signIn: "Login failed",
  signUp: "Registration failed",
  confirm: "Confirmation failed",
  resend: "Resend failed",
  signOut: "Logout failed",
  renew: "Token refresh failed",
  requestReset: "Failed to send reset code. Please try again.",
  reset: "Failed to reset password. Please try again.",
  changePassword: "Failed to change password. Please try again.",
  deleteAccount: "Failed to delete the account. Please try again.",
} as const;

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

const providerError = z.object({ code: z.string(), message: z.optional(z.string()) });

/** Converts any failure to an `AuthError`; one without a type gets the step's default. */
export function toAuthError(error: unknown, fallback: string): AuthError {
  if (error instanceof AuthError) return error;
  if (error instanceof RequestError && error.code === "network") return localAuthError("NetworkError");
  const { data } = z.safeParse(providerError, error);
  if (!data) return new AuthError("Unknown", fallback);
  if (data.code === "NetworkError") return localAuthError("NetworkError");
  return new AuthError(data.code, data.message || fallback);
}

/** Whether the number of a new account needs no code anymore. */
export function isConfirmedAlready(error: AuthError): boolean {
  return error.code === "NotAuthorizedException" && error.message.includes("Current status is CONFIRMED");
}

/** Whether a code is wrong, or no longer one. */
export function isCodeRefused(error: unknown): boolean {
  return error instanceof AuthError && ["CodeMismatchException", "ExpiredCodeException"].includes(error.code);
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
