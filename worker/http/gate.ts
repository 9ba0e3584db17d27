import { createMiddleware } from "hono/factory";
import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from "jose";
import * as z from "zod";
import { driverId } from "../../durable/engine/units.ts";
import type { Deps } from "../../durable/deps.ts";
import type { App, Caller } from "./context.ts";
import { Failure } from "./failure.ts";

const CLOCK_LEEWAY_SECONDS = 30;

const claims = z.object({
  sub: driverId,
  token_use: z.literal("id"),
  phone_number: z.string().optional(),
});

/** The pool's public keys, kept for as long as the isolate lives and fetched again when a new one appears. */
const keySets = new Map<string, JWTVerifyGetKey>();

function keysOf({ config, send }: Deps): JWTVerifyGetKey {
  const url = config.identity.jwksUrl;
  const known = keySets.get(url);
  if (known) return known;
  const made = createRemoteJWKSet(new URL(url), {
    [customFetch]: (input, init) =>
      send(new Request(input, { method: init?.method ?? "GET", headers: init?.headers as HeadersInit })),
    cooldownDuration: 30_000,
    cacheMaxAge: 600_000,
  });
  keySets.set(url, made);
  return made;
}

/**
 * Verifies an id token: RS256 only, issuer, audience, `token_use`, expiry.
 * @throws {Failure} `unauthenticated`
 */
export async function verifyIdToken(token: string, deps: Deps): Promise<Caller> {
  const { issuer, clientId } = deps.config.identity;
  try {
    const { payload } = await jwtVerify(token, keysOf(deps), {
      algorithms: ["RS256"],
      issuer,
      audience: clientId,
      clockTolerance: CLOCK_LEEWAY_SECONDS,
      currentDate: new Date(deps.now()),
      requiredClaims: ["exp", "iat", "sub"],
    });
    const parsed = claims.parse(payload);
    return { driverId: parsed.sub, phoneNumber: parsed.phone_number ?? null };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof z.ZodError)
      throw new Failure("unauthenticated");
    throw error;
  }
}

/** Lets in who shows a good id token. */
export const gate = createMiddleware<App>(async (c, next) => {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "bearer" || !token) throw new Failure("unauthenticated");
  c.set("caller", await verifyIdToken(token, c.var.deps));
  await next();
});
