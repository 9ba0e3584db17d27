import { AsyncLocalStorage } from "node:async_hooks";
import { contextStorage, tryGetContext } from "hono/context-storage";
import { createMiddleware } from "hono/factory";
import type { Afterwards } from "../../durable/runtime/afterwards.ts";
import { log, type Log } from "../../durable/runtime/log.ts";
import type { AppEnv } from "./app-env.ts";

/** Gives the log and the database, which all requests of an isolate share, access to the current request. */
export const openRequestScope = contextStorage();

const counters = new AsyncLocalStorage<{ statements: number }>();

/** Runs work outside of requests, whose D1 statements are counted into `usage`. */
export function countingStatements<Result>(usage: { statements: number }, work: () => Result): Result {
  return counters.run(usage, work);
}

/** Counts a D1 statement for the request, or the work outside of one, that runs it. */
export function countStatement(): void {
  const usage = tryGetContext<AppEnv>()?.get("usage") ?? counters.getStore();
  if (usage) usage.statements += 1;
}

/** The log, which adds the id of the current request. */
export const requestLog: Log = (level, event, facts) => {
  const requestId = tryGetContext<AppEnv>()?.get("requestId");
  log(level, event, requestId === undefined ? facts : { requestId, ...facts });
};

/** Lets the rest of a request wait for its response. */
export const announceResponse = createMiddleware<AppEnv>(async (c, next) => {
  let announce = () => {};
  c.set("responded", new Promise((resolve) => (announce = resolve)));
  try {
    await next();
  } finally {
    announce();
  }
});

/** Does what the caller of a request needn't wait for after the response. */
export const afterResponse: Afterwards = async (work) => {
  const c = tryGetContext<AppEnv>();
  const responded = c?.get("responded");
  if (!c || !responded) return work();
  c.executionCtx.waitUntil(responded.then(work));
};

/** Lets work of a request come to its end even if the caller hangs up; one who waits hears of its failure. */
export function outliveCaller<Result>(work: Promise<Result>): Promise<Result> {
  tryGetContext<AppEnv>()?.executionCtx.waitUntil(work.catch(() => {}));
  return work;
}
