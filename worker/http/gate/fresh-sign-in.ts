import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { FRESH_SIGN_IN_MS } from "../../identity/pool-context.ts";
import { ApiError } from "../errors/api-error.ts";
import type { AppEnv } from "../app-env.ts";

/**
 * For calls that could take an account over or end it: a token alone isn't enough, its owner must have signed in within the
 * last minutes. A renewed token keeps the time of the sign-in.
 * @throws {ApiError} `sign_in_again`
 */
export function requireFreshSignIn(c: Context<AppEnv>): void {
  const { caller, deps } = c.var;
  if (caller.signedInAt === null || deps.now() - caller.signedInAt > FRESH_SIGN_IN_MS)
    throw new ApiError("sign_in_again");
}

/** `requireFreshSignIn` for a whole route. */
export const freshSignIn = createMiddleware<AppEnv>(async (c, next) => {
  requireFreshSignIn(c);
  await next();
});
