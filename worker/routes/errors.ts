import { Hono } from "hono";
import { MINUTE_MS } from "../../durable/engine/units.ts";
import { errorReport } from "../contract/errors.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { createLimit } from "../http/limit.ts";
import { masked } from "../http/masked.ts";
import { parseSealed, sealed } from "../http/sealed.ts";

const MESSAGE_LENGTH = 300;
const STACK_LENGTH = 2_000;

/** A page that breaks in a loop says so ten times a minute at most, by each isolate's own count. */
const reports = createLimit({ most: 10, windowMs: MINUTE_MS });

/** What broke in a page, told to the log without what must not stand there. */
export const errors = new Hono<App>().post("/", sealed, (c) => {
  const { caller, deps, sealedBody } = c.var;
  const now = deps.now();
  const waitUntil = reports.take(caller.driverId, now);
  if (waitUntil !== null) {
    throw new Failure("rate_limited", { retryAfter: Math.ceil((waitUntil - now) / 1000) });
  }
  const report = parseSealed(errorReport, sealedBody);
  deps.log("error", "page.error.reported", {
    driverId: caller.driverId,
    caller: masked(report.caller),
    name: masked(report.name),
    message: masked(report.message).slice(0, MESSAGE_LENGTH),
    stack: report.stack && masked(report.stack).slice(0, STACK_LENGTH),
  });
  return c.body(null, 204);
});
