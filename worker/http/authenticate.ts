import { createMiddleware } from "hono/factory";
import { errors, jwtVerify } from "jose";
import * as z from "zod";
import { driverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import type { AppEnv, Caller } from "./app-env.ts";
import { allowsArrivedToken, verifyArrivedToken } from "./arrived-token.ts";
import { ApiError } from "./api-error.ts";
import { keySetFor, userPoolOf, type PoolBindings } from "./user-pool.ts";

const CLOCK_LEEWAY_SECONDS = 30;

const claims = z.object({
  sub: driverId,
  token_use: z.literal("id"),
  phone_number: z.string().optional(),
  origin_jti: z.string().optional(),
});

/**
 * Verifies an id token: RS256 only, issuer, audience, `token_use`, expiry, and where the pool is
 * ours that its sign-in was not revoked.
 * @throws {ApiError} `unauthenticated`
 */
export async function verifyIdToken(token: string, deps: Deps, env: PoolBindings): Promise<Caller> {
  const { issuer, clientId } = deps.config.identity;
  const pool = userPoolOf(deps, env);
  const parsed = await verify();
  if (pool && !(await pool.isSessionLive(parsed.origin_jti ?? ""))) throw new ApiError("unauthenticated");
  return { driverId: parsed.sub, phoneNumber: parsed.phone_number ?? null };

  async function verify(): Promise<z.infer<typeof claims>> {
    try {
      const { payload } = await jwtVerify(token, keySetFor(deps, pool), {
        algorithms: ["RS256"],
        issuer,
        audience: clientId,
        clockTolerance: CLOCK_LEEWAY_SECONDS,
        currentDate: new Date(deps.now()),
        requiredClaims: ["exp", "iat", "sub"],
      });
      return claims.parse(payload);
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof z.ZodError)
        throw new ApiError("unauthenticated");
      throw error;
    }
  }
}

/** Lets in who shows a good id token; at the arrived frame's two calls also who shows an arrived token. */
export const authenticate = createMiddleware<AppEnv>(async (c, next) => {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (!token) throw new ApiError("unauthenticated");
  switch (scheme?.toLowerCase()) {
    case "bearer":
      c.set("caller", await verifyIdToken(token, c.var.deps, c.env));
      break;
    case "imhere": {
      if (!allowsArrivedToken(c.req.method, c.req.path)) throw new ApiError("unauthenticated");
      const { keys, now } = c.var.deps;
      c.set("caller", { driverId: await verifyArrivedToken(keys, { token, now: now() }), phoneNumber: null });
      break;
    }
    default:
      throw new ApiError("unauthenticated");
  }
  await next();
});
