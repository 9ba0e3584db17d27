import * as z from "zod/mini";
import { epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";

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
