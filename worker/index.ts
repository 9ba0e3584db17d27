import type { Env } from "../durable/runtime/env.ts";
import { app } from "./app.ts";
import { runScheduled } from "./cron/scheduled.ts";
import { consumeTasks } from "./cron/consume-tasks.ts";

export { DriverObject as Driver } from "../durable/driver/driver-object.ts";
export { RestoreRecord } from "../durable/restore-record.ts";
export { Tick } from "../durable/watch/tick.ts";
export { Watch } from "../durable/watch/watch.ts";

export default {
  fetch: app.fetch,
  scheduled: ({ cron }, env) => runScheduled(cron, env),
  queue: consumeTasks,
} satisfies ExportedHandler<Env>;
