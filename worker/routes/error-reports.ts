import { Hono } from "hono";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import { errorReport } from "../contract/error-report.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/api-error.ts";
import { createRateLimiter } from "../http/rate-limiter.ts";
import { redact } from "../http/redact.ts";
import { sealedJson } from "../http/sealed-body.ts";

const MESSAGE_LENGTH = 300;
const STACK_LENGTH = 2_000;

/** A page that fails in a loop is logged at most ten times a minute per isolate. */
const reportLimiter = createRateLimiter({ most: 10, windowMs: MINUTE_MS });

/** Logs a page's error, redacted. */
export const errorReportRoutes = new Hono<AppEnv>().post(
  "/",
  sealedJson("POST /flex/v1/errors", errorReport),
  (c) => {
    const { caller, deps } = c.var;
    const now = deps.now();
    const waitUntil = reportLimiter.count(caller.driverId, now);
    if (waitUntil !== null) {
      throw new ApiError("rate_limited", { retryAfter: Math.ceil((waitUntil - now) / 1000) });
    }
    const report = c.req.valid("json");
    deps.log("error", "page.error.reported", {
      driverId: caller.driverId,
      caller: redact(report.caller),
      name: redact(report.name),
      message: redact(report.message).slice(0, MESSAGE_LENGTH),
      stack: report.stack && redact(report.stack).slice(0, STACK_LENGTH),
    });
    return c.body(null, 204);
  },
);
