import * as z from "zod/mini";
import { RequestError } from "../client/request-error.ts";
import { AuthError, localAuthError, RENEWAL_FAILED } from "./auth-error.ts";

/** The message of each step of signing in or out, for failures without a known error. */
export const DEFAULT_MESSAGES = {
  signIn: "Login failed",
  signUp: "Registration failed",
  confirm: "Confirmation failed",
  resend: "Resend failed",
  signOut: "Logout failed",
  renew: RENEWAL_FAILED,
  requestReset: "Failed to send reset code. Please try again.",
  reset: "Failed to reset password. Please try again.",
  changePassword: "Failed to change password. Please try again.",
  deleteAccount: "Failed to delete the account. Please try again.",
} as const;

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

/** Whether the number of a new account no longer needs a code. */
export function isConfirmedAlready(error: AuthError): boolean {
  return error.code === "NotAuthorizedException" && error.message.includes("Current status is CONFIRMED");
}

/** Whether a code is wrong or no longer valid. */
export function isCodeRefused(error: unknown): boolean {
  return error instanceof AuthError && ["CodeMismatchException", "ExpiredCodeException"].includes(error.code);
}
