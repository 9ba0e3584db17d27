import type { Env } from "../durable/config.ts";
import { app } from "./app.ts";
import { HOURLY, hourly } from "./hourly.ts";
import { watch } from "./watchdog.ts";

export { Driver } from "../durable/driver/driver.ts";

export default {
  fetch: app.fetch,
  scheduled: ({ cron }, env) => (cron === HOURLY ? hourly(env) : watch(env)),
} satisfies ExportedHandler<Env>;
