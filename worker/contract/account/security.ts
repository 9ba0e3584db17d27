import * as z from "zod/mini";
import { securityEventName } from "../../../db/shapes/security.ts";
import { epochMs } from "../../../db/shapes/units.ts";
import type { ApiRoute } from "../api-route.ts";

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
