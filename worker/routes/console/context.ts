import type { Context } from "hono";
import type { ConsoleContext } from "../../console/acts.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";

/** The context of the operator's call. */
export function consoleContext(c: Context<AppEnv>): ConsoleContext {
  const { deps, db, operator } = c.var;
  return { ...createCheckoutContext({ deps, db }), operator };
}
