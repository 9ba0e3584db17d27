import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import { errorReport, visitorErrorReport } from "../contract/error-report.ts";
import type { AppEnv } from "../http/app-env.ts";
import { groupError } from "./error-groups.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { createRateLimiter, requireUnderLimit } from "../http/limits/rate-limiter.ts";
import { redact } from "../http/errors/redact.ts";
import { sealedJson } from "../http/sealed-body.ts";
import { afterResponse } from "../http/request-scope.ts";
import { validate } from "../http/validate.ts";

const MESSAGE_LENGTH = 300;
const STACK_LENGTH = 2_000;

/** A page that fails in a loop is logged at most ten times a minute per isolate. */
const reportLimiter = createRateLimiter({ most: 10, windowMs: MINUTE_MS });

/** Without an account, there are no limits of one: a few from each address, and not many in all. */
const addressLimiter = createRateLimiter({ most: 5, windowMs: MINUTE_MS });
const visitorLimiter = createRateLimiter({ most: 60, windowMs: MINUTE_MS });

const MAX_VISITOR_BODY_BYTES = 8 * 1024;

/** Logs and counts the error of a visitor's page. Nothing in the line says whose it was. */
export const visitorErrorRoutes = new Hono<AppEnv>().post(
  "/",
  bodyLimit({
    maxSize: MAX_VISITOR_BODY_BYTES,
    onError: () => {
      throw new ApiError("too_large");
    },
  }),
  validate("json", visitorErrorReport),
  async (c) => {
    const { deps, requestId } = c.var;
    const now = deps.now();
    requireUnderLimit(addressLimiter, c.req.header("cf-connecting-ip") ?? "", now);
    requireUnderLimit(visitorLimiter, "all", now);
    const report = c.req.valid("json");
    const error = {
      driverId: null,
      caller: redact(report.caller),
      name: redact(report.name),
      stack: report.stack && redact(placesOf(report.stack)).slice(0, STACK_LENGTH),
    };
    deps.log("error", "page.error.reported", error);
    await afterResponse(() => groupError(deps, { ...error, message: null, requestId }));
    return c.body(null, 204);
  },
);

/** The lines of a stack that name a place in the code, without what an address carries. The others quote the message. */
function placesOf(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => /^\s*at .+:\d+|^\S*@.+:\d+/.test(line))
    .map((line) => line.replaceAll(/[?#][^\s)]*?(?=:\d+:\d+|[\s)]|$)/g, ""))
    .join("\n");
}

/** Logs and counts a page's error, redacted. */
export const errorReportRoutes = new Hono<AppEnv>().post(
  "/",
  sealedJson("POST /flex/v1/errors", errorReport),
  async (c) => {
    const { caller, deps, requestId } = c.var;
    const now = deps.now();
    requireUnderLimit(reportLimiter, caller.driverId, now);
    const report = c.req.valid("json");
    const error = {
      driverId: caller.driverId,
      caller: redact(report.caller),
      name: redact(report.name),
      message: redact(report.message).slice(0, MESSAGE_LENGTH),
      stack: report.stack && redact(report.stack).slice(0, STACK_LENGTH),
    };
    deps.log("error", "page.error.reported", error);
    await afterResponse(() => groupError(deps, { ...error, requestId }));
    return c.body(null, 204);
  },
);
