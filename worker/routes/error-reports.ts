import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MINUTE_MS, type DriverId } from "../../db/shapes/units.ts";
import { addErrorReport } from "../../db/queries/operators/error-groups.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { VERSION } from "../../durable/runtime/version.ts";
import { errorReport, visitorErrorReport } from "../contract/error-report.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { createRateLimiter, requireUnderLimit } from "../http/rate-limiter.ts";
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

/** A page's error, redacted. */
type ReportedError = {
  caller: string;
  name: string;
  message: string | null;
  stack: string | null;
  driverId: DriverId | null;
  requestId: string;
};

const PLACE_LENGTH = 200;

/** Adds an error to the reports of the same one, for the console. Never throws: the log has it already. */
async function groupError(
  { db, now, log }: Pick<Deps, "db" | "now" | "log">,
  { driverId, requestId, ...error }: ReportedError,
): Promise<void> {
  const { caller, name, message, stack } = error;
  const place = placeInStack(stack);
  try {
    const id = await hash([caller, name, message && withoutFigures(message), place]);
    await addErrorReport(db, {
      id,
      caller,
      name,
      message,
      place,
      stack,
      requestId,
      driverId,
      version: VERSION,
      at: now(),
    });
  } catch (failure) {
    log("warn", "page.error.group.failed", describeError(failure));
  }
}

/**
 * The function and file that a stack begins with, without address, hash, line and column, all of which change with each
 * build: `at render (https://…/assets/feed-Bx3f9_2a.js:1:3812)` is `render feed.js`.
 */
export function placeInStack(stack: string | null): string | null {
  for (const line of stack?.split("\n") ?? []) {
    const found =
      /^\s*at (?:(?:async )?([^\s(]+) \()?(?:\S*\/)?([\w.-]+?):\d+:\d+\)?$/.exec(line) ??
      /^([^@\s]*)@(?:\S*\/)?([\w.-]+?):\d+:\d+$/.exec(line);
    if (!found) continue;
    const [, name = "", file = ""] = found;
    const plain = file.replace(/-[\w-]{8}(?=\.\w+$)/, "");
    return `${name} ${plain}`.trim().slice(0, PLACE_LENGTH);
  }
  return null;
}

function withoutFigures(message: string): string {
  return message.replaceAll(/\d+/g, "#");
}

async function hash(parts: readonly (string | null)[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Patterns of what must not be logged, the more general first. */
const SECRETS: readonly (readonly [pattern: RegExp, mask: string])[] = [
  [/\beyJ[\w-]+(\.[\w-]*)*/g, "[token]"],
  [/\bbearer\s+\S+/gi, "[token]"],
  [/(token|ticket|secret|password|code)(["']?\s*[=:]\s*["']?)[^\s"'&,;)}]+/gi, "$1$2[secret]"],
  [/[\w.%+-]+@[\w-]+(\.[\w-]+)+/g, "[email]"],
  [/[\w-]{32,}/g, "[token]"],
  [/(?:\+?\d{1,3}[\s.-]?)?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}/g, "[number]"],
  [/\d{6,}/g, "[number]"],
];

/** Removes tokens, email addresses, codes and phone numbers from a text. */
export function redact(text: string): string {
  return SECRETS.reduce((clean, [pattern, mask]) => clean.replace(pattern, mask), text);
}
