import type { Env } from "../durable/runtime/env.ts";
import { app } from "./app.ts";
import { HOURLY_CRON, runHourly } from "./hourly-cron.ts";
import { runWatchdog } from "./watchdog.ts";

export { Driver } from "../durable/driver/driver.ts";

export default {
  fetch: app.fetch,
  scheduled: ({ cron }, env) => (cron === HOURLY_CRON ? runHourly(env) : runWatchdog(env)),
} satisfies ExportedHandler<Env>;
