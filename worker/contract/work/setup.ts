import * as z from "zod/mini";
import type { ApiRoute } from "../api-route.ts";
import { setupResponse, type LinkError } from "../../../db/shapes/work/linking.ts";
import { check } from "../../../db/shapes/work/checks.ts";

/** POST /flex/v1/setup/login, sealed. The password is used once and never stored. */
export const setupLogin = z.object({
  email: z.email().check(z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(256)),
});
export type SetupLogin = z.infer<typeof setupLogin>;

/** POST /flex/v1/setup/otp, sealed. */
export const setupOtp = z.object({ code: z.string().check(z.regex(/^[0-9]{4,8}$/)) });

const LINK_ERRORS = [
  "not_found",
  "link_credentials_wrong",
  "link_locked",
  "link_account_taken",
  "link_paused",
  "link_code_wrong",
  "link_code_expired",
  "link_denied",
  "link_expired",
  "rate_limited",
  "verification_required",
  "platform_unreachable",
  "platform_refused",
  "internal",
] as const satisfies readonly (LinkError["code"] | "not_found" | "link_paused")[];

/** Linking the delivery platform's account. */
export const SETUP_ROUTES = {
  "GET /flex/v1/setup": {
    summary: "How far linking the delivery platform's account has come.",
    auth: "bearer",
    responses: { 200: setupResponse },
    errors: LINK_ERRORS,
  },
  "POST /flex/v1/setup/login": {
    summary: "Signs in to the delivery platform. The password is used once and never stored.",
    auth: "bearer",
    body: setupLogin,
    responses: { 200: setupResponse },
    errors: LINK_ERRORS,
  },
  "POST /flex/v1/setup/otp": {
    summary: "Enters the code that the delivery platform sent.",
    auth: "bearer",
    body: setupOtp,
    responses: { 200: setupResponse },
    errors: LINK_ERRORS,
  },
  "POST /flex/v1/setup/otp/resend": {
    summary: "Asks the delivery platform for another code.",
    auth: "bearer",
    responses: { 200: setupResponse },
    errors: LINK_ERRORS,
  },
  "DELETE /flex/v1/setup": {
    summary: "Unlinks the delivery platform's account. Needs a sign-in of the last minutes.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found", "sign_in_again"],
  },
} as const satisfies Record<string, ApiRoute>;

/** GET /flex/v1/checks: a line of each subject, in their order. */
export const checksResponse = z.object({ checks: z.readonly(z.array(check)) });
export type ChecksResponse = z.infer<typeof checksResponse>;

/** Everything that has to be right for a capture. */
export const CHECK_ROUTES = {
  "GET /flex/v1/checks": {
    summary: "Checks everything that a capture needs, and the ways to tell the driver of one.",
    auth: "bearer",
    responses: { 200: checksResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;
