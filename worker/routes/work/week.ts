import { Hono } from "hono";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { MINUTE_MS, type Period } from "../../../db/shapes/units.ts";
import {
  addUpWeek,
  blocksKnownFrom,
  mondayAt,
  mondaysInLog,
  weekOf,
  weeksAfter,
} from "../../../durable/engine/statistics/week.ts";
import { weekQueryInput, type WeekResponse } from "../../contract/work/week.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { createRateLimiter, requireUnderLimit } from "../../http/limits/rate-limiter.ts";
import { validate } from "../../http/validate.ts";
import { callerObject, loadCallerRecord, recordAhead } from "../caller.ts";
import { loadLogList } from "../../../durable/runtime/log-list.ts";
import { loadPassedOver } from "./passed-over.ts";
import { loadFirstListedAt } from "./replay-log.ts";

/** Captures of the log that are added up at most. */
const MAX_WON = 1_000;

/** Each call judges a week's offers again. */
const weekLimiter = createRateLimiter({ most: 12, windowMs: MINUTE_MS });

/** A week in figures. */
export const weekRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", validate("query", weekQueryInput), async (c) => {
    const { config, now } = c.var.deps;
    const { currency } = config;
    requireUnderLimit(weekLimiter, c.var.caller.driverId, now());
    const record = await loadCallerRecord(c);
    const timeZone = record.row.humanTimezone;
    const inLog = mondaysInLog(now(), timeZone);
    const week = weekOf(c.req.valid("query").date ?? mondayAt(now(), timeZone), timeZone);
    if (!inLog.includes(week.monday)) throw new ApiError("not_found");
    const before = weekOf(weeksAfter(week.monday, -1), timeZone);
    const object = callerObject(c);
    const [firstAt, won, held, { groups }] = await Promise.all([
      loadFirstListedAt(object),
      loadLogList(object, "won", { from: before.from, most: MAX_WON }),
      object.heldBlocks(),
      loadPassedOver(object, { record, currency, period: week }),
    ]);
    const blocks = { captured: won.flatMap(toBlock), held };
    const from = blocksKnownFrom(blocks, firstAt ?? now());
    const isKnown = ({ to }: Period) => to > from;
    const response: WeekResponse = {
      monday: week.monday,
      currency,
      figures: addUpWeek(blocks, { week, now: now(), currency }),
      before: isKnown(before) ? addUpWeek(blocks, { week: before, now: now(), currency }) : null,
      knownFrom: from > week.from ? from : null,
      best: groups[0]?.proposal ?? null,
      mondays: inLog.filter((monday) => monday === inLog[0] || isKnown(weekOf(monday, timeZone))),
    };
    return c.json(response, 200);
  });

function toBlock({ event }: LogEntry): Block[] {
  return event.kind === "attempt_settled" && event.attempt.outcome.status === "won"
    ? [event.attempt.outcome.block]
    : [];
}
