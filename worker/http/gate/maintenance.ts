import { createMiddleware } from "hono/factory";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Config } from "../../../durable/runtime/config.ts";
import { ApiError } from "../errors/api-error.ts";
import type { AppEnv } from "../app-env.ts";
import { isolateOf } from "../isolate.ts";

/** How long to wait where nobody knows the end. */
const UNKNOWN_WAIT_S = 300;

/** Operators go on, and so does what is sent once: events of the card processor, and texts that drivers send. */
const OPEN_PATHS = ["/ops", "/webhooks"];

/** Until when a setting closes the deployment (null: until it is taken out); null if it is open. */
export function closingOf({ maintenance }: Pick<Config, "maintenance">, now: EpochMs): Config["maintenance"] {
  return maintenance && (maintenance.until === null || now < maintenance.until) ? maintenance : null;
}

/**
 * Closes page and API for as long as a setting says so, which needs no database. Drivers' objects wake by themselves and go
 * on capturing.
 */
export const closeForMaintenance = createMiddleware<AppEnv>(async (c, next) => {
  const { config, now } = isolateOf(c.env).deps;
  const isOpen = OPEN_PATHS.some((path) => c.req.path === path || c.req.path.startsWith(`${path}/`));
  const closing = isOpen ? null : closingOf(config, now());
  if (closing) {
    const { until } = closing;
    if (until !== null) throw new ApiError("maintenance", { retryAfter: Math.ceil((until - now()) / 1000) });
    c.header("retry-after", String(UNKNOWN_WAIT_S));
    throw new ApiError("maintenance");
  }
  await next();
});
