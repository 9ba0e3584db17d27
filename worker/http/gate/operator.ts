import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from "jose";
import * as z from "zod";
import type { Deps } from "../../../durable/deps.ts";
import type { Operator } from "../../contract/console/operators.ts";
import type { AppEnv } from "../app-env.ts";
import { ApiError } from "../errors/api-error.ts";
import { verifySignedToken } from "../tokens/signed-token.ts";

/** Access sends its token with every request that it lets through; a browser has it as a cookie as well. */
const ACCESS_HEADER = "cf-access-jwt-assertion";
const ACCESS_COOKIE = "CF_Authorization";
const KEY_FETCH_COOLDOWN_MS = 30_000;
const KEY_CACHE_MS = 600_000;

/** A person has an e-mail address; a service token has its client id as `common_name` and an empty subject. */
const claims = z.union([
  z.object({ type: z.literal("app"), email: z.string().includes("@") }),
  z.object({ type: z.literal("app"), common_name: z.string().endsWith(".access") }),
]);

/** The keys that Cloudflare Access signs with; fetched on first use, and again when an unknown key id appears. Null if there is no console. */
export function createOperatorKeys({ config, send }: Deps): JWTVerifyGetKey | null {
  if (!config.operators) return null;
  return createRemoteJWKSet(new URL(`${config.operators.issuer}/cdn-cgi/access/certs`), {
    [customFetch]: (url, { method, headers }) => send(new Request(url, { method, headers })),
    cooldownDuration: KEY_FETCH_COOLDOWN_MS,
    cacheMaxAge: KEY_CACHE_MS,
  });
}

/**
 * The operator, by the token of Cloudflare Access.
 * @throws {ApiError} `not_found` where there is no console, or not at this host, `unauthenticated`, and `forbidden` for who is on neither list
 */
export async function operatorByAccess(c: Context<AppEnv>): Promise<Operator> {
  const { deps, operatorKeys } = c.var;
  const { operators } = deps.config;
  if (!operators || !operatorKeys) throw new ApiError("not_found");
  // On its own host the console takes only what Access adds, and elsewhere there is none.
  if (operators.host !== null && new URL(c.req.url).host !== operators.host) throw new ApiError("not_found");
  const cookie = operators.host === null ? getCookie(c, ACCESS_COOKIE) : undefined;
  const token = c.req.header(ACCESS_HEADER) ?? cookie;
  if (!token) throw new ApiError("unauthenticated");
  const known = await verifySignedToken(token, {
    keys: operatorKeys,
    issuer: operators.issuer,
    audience: operators.audience,
    now: deps.now(),
    claims,
  });
  const name = ("email" in known ? known.email : known.common_name).toLowerCase();
  if (operators.owners.includes(name)) return { name, role: "owner" };
  if (operators.support.includes(name)) return { name, role: "support" };
  throw new ApiError("forbidden");
}
