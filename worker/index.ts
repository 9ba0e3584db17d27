import type { Env } from "../durable/config.ts";
import { app } from "./app.ts";
import { watch } from "./watchdog.ts";

export { Driver } from "../durable/driver/driver.ts";

export default {
  fetch: app.fetch,
  scheduled: (_event, env) => watch(env),
} satisfies ExportedHandler<Env>;
