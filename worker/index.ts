import type { Env } from "../durable/runtime/env.ts";
import { app } from "./app.ts";
import { runScheduled } from "./cron/scheduled.ts";

export { Driver } from "../durable/driver/driver.ts";

export default {
  fetch: app.fetch,
  scheduled: ({ cron }, env) => runScheduled(cron, env),
} satisfies ExportedHandler<Env>;
