import { describeError } from "../../durable/runtime/describe-error.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { log } from "../../durable/runtime/log.ts";
import { HOURLY_CRON, runHourly } from "./hourly-cron.ts";
import { runWatchdog } from "./watchdog.ts";

/**
 * Runs a cron.
 * @throws {Error} if it or one of its steps failed, so that the run counts as failed; without the cause, whose message
 * the runtime would log
 */
export async function runScheduled(cron: string, env: Env): Promise<void> {
  const failed = await runCron(cron, env);
  if (failed.length > 0) throw new Error(`see cron.step.failed in the log: ${failed.join(", ")}`);
}

async function runCron(cron: string, env: Env): Promise<string[]> {
  try {
    return await (cron === HOURLY_CRON ? runHourly(env) : runWatchdog(env));
  } catch (error) {
    log("error", "scheduled.failed", { cron, ...describeError(error) });
    // oxlint-disable-next-line preserve-caught-error -- the runtime logs causes, messages included
    throw new Error("see scheduled.failed in the log");
  }
}
