import { overdue } from "../db/queries/heartbeats.ts";
import type { Env } from "../durable/config.ts";
import { createDeps } from "../durable/deps.ts";
import { errorName } from "../durable/log.ts";
import { tellRest } from "./payments/tell.ts";
import { openTill } from "./payments/till.ts";

/** How many overdue objects are looked after in one minute; the longest overdue first. */
const BATCH = 200;

/** Every minute: wakes the objects that missed their heartbeat, and no others; tells what was not heard. */
export async function watch(env: Env): Promise<void> {
  const deps = createDeps(env);
  const { db, now, log } = deps;
  const late = await overdue(db, now(), BATCH);
  const answers = await Promise.allSettled(
    late.map(({ objectName }) => env.DRIVER.getByName(objectName).poke()),
  );
  for (const [index, answer] of answers.entries()) {
    if (answer.status === "fulfilled") continue;
    log("error", "watchdog.poke.failed", {
      driverId: late[index]?.driverId ?? null,
      error: errorName(answer.reason),
    });
  }
  await tellRest(openTill({ env, deps, db }));
}
