import * as z from "zod/mini";
import { securityEventName } from "../../../db/shapes/security.ts";
import { epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";
import { language } from "../../../db/shapes/language.ts";

/** The query of GET /flex/v1/security. */
export const securityQueryInput = z.object({
  /** The `cursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,16}\.[0-9]{1,16}$/))),
});

/** Events from one network within an hour. */
export const securityEvent = z.object({
  id: z.int(),
  event: securityEventName,
  times: z.int(),
  firstAt: epochMs,
  lastAt: epochMs,
  /** Names, such as Chrome and Android; null if unknown. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** A country of ISO 3166; null if unknown. */
  country: z.nullable(z.string()),
});
export type SecurityItem = z.infer<typeof securityEvent>;

/** GET /flex/v1/security: the latest first, 20 a page, of the last 90 days; `cursor` is null on the last page. */
export const securityResponse = z.object({
  items: z.array(securityEvent),
  cursor: z.nullable(z.string()),
});
export type SecurityResponse = z.infer<typeof securityResponse>;

/** Security events of the account. */
export const SECURITY_ROUTES = {
  "GET /flex/v1/security": {
    summary: "What happened to the security of the account in the last 90 days, the latest first.",
    auth: "bearer",
    query: securityQueryInput,
    responses: { 200: securityResponse },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;

/** A sign-in that hasn't ended. */
export const session = z.object({
  id: z.string(),
  /** Whether the call was made in it. */
  isCurrent: z.boolean(),
  /** Names, such as Chrome and Android; null if unknown. */
  browser: z.nullable(z.string()),
  system: z.nullable(z.string()),
  /** Where it was last used: a country of ISO 3166; null if unknown. */
  country: z.nullable(z.string()),
  signedInAt: epochMs,
  /** To a quarter of an hour. */
  lastSeenAt: epochMs,
  /** Whether it takes push messages; left out where that can't be said now. */
  takesPush: z.optional(z.boolean()),
  /** Whether a calendar address goes on for as long as it does; left out where that can't be said now. */
  hasCalendar: z.optional(z.boolean()),
});
export type Session = z.infer<typeof session>;

/** GET /flex/v1/sessions: the caller's own first, then the ones seen last. */
export const sessionsResponse = z.object({ sessions: z.readonly(z.array(session)) });
export type SessionsResponse = z.infer<typeof sessionsResponse>;

/** The path of DELETE /flex/v1/sessions/{id}. */
export const sessionParams = z.object({ id: z.string().check(z.maxLength(64)) });

/** Where the driver is signed in. */
export const SESSION_ROUTES = {
  "GET /flex/v1/sessions": {
    summary: "Where the driver is signed in. Not known where another user pool signs drivers in.",
    auth: "bearer",
    responses: { 200: sessionsResponse },
    errors: ["not_found"],
  },
  "DELETE /flex/v1/sessions": {
    summary: "Ends every sign-in of the driver but the one that asks.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found"],
  },
  "DELETE /flex/v1/sessions/{id}": {
    summary: "Ends one sign-in of the driver.",
    auth: "bearer",
    params: sessionParams,
    responses: { 204: null },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;

/** GET /flex/v1/undo: the change that the link in a text undoes. */
export const undoResponse = z.object({
  kind: z.enum(["phone", "password", "factors", "passkeys", "other"]),
  changedAt: epochMs,
  /** The link works until then, once. */
  expiresAt: epochMs,
  /** The number that the account has afterwards: its last four digits. */
  phoneEnd: z.string(),
  /** The language of the text. */
  language,
});
export type UndoResponse = z.infer<typeof undoResponse>;

/** The link that undoes a change of an account. */
export const UNDO_ROUTES = {
  "GET /flex/v1/undo": {
    summary: "The change of an account that the link in a text undoes. It works once, within seven days.",
    auth: "undo",
    responses: { 200: undoResponse },
    errors: ["undo_expired"],
  },
  "POST /flex/v1/undo": {
    summary:
      "Undoes it: the account has its number and its passkeys back and no second factor, is signed out everywhere, and needs a new password, by a code to that number.",
    auth: "undo",
    responses: { 204: null },
    errors: ["undo_expired", "conflict"],
  },
} as const satisfies Record<string, ApiRoute>;
