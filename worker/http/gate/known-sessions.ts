import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import type { AppEnv } from "../app-env.ts";

/** The first handler of a route for which the driver's object may say that the caller's session is live, in place of the database. */
export const asksObject: MiddlewareHandler<AppEnv> = (_c, next) => next();

/**
 * Whether the driver's object knows the session of a call to such a route. It hears of a session's end as its sockets do; where it can't
 * be asked, or knows nothing, the database decides.
 */
export async function isKnownToObject(
  c: Context<AppEnv>,
  { userId, originJti }: { userId: DriverId; originJti: string },
): Promise<boolean> {
  if (!matchedRoutes(c).some(({ handler }) => handler === asksObject)) return false;
  const { deps } = c.var;
  try {
    return (await deps.driver(userId).knowsSession(originJti)).known;
  } catch (error) {
    deps.log("warn", "live.session.unasked", { driverId: userId, ...describeError(error) });
    return false;
  }
}
