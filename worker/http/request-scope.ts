import { contextStorage, tryGetContext } from "hono/context-storage";
import { log, type Log } from "../../durable/runtime/log.ts";
import type { AppEnv } from "./app-env.ts";

/** Keeps the request at hand for what is made once per isolate and serves them all: the log and the database. */
export const openRequestScope = contextStorage();

/** Counts a D1 statement for the request that runs it. */
export function countStatement(): void {
  const usage = tryGetContext<AppEnv>()?.get("usage");
  if (usage) usage.statements += 1;
}

/** The log, with the id of the request that writes to it. */
export const requestLog: Log = (level, event, facts) => {
  const requestId = tryGetContext<AppEnv>()?.get("requestId");
  log(level, event, requestId === undefined ? facts : { requestId, ...facts });
};
