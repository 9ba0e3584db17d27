import { Hono } from "hono";
import { DAY_MS, MINUTE_MS, type EpochMs, type Period } from "../../../db/shapes/units.ts";
import type { OfferHoursDays } from "../../../db/shapes/work/offer-hours.ts";
import { listCityWeeks } from "../../../db/queries/fleet/city-offer-hours.ts";
import { CITY_WEEKS, cityWeekOf, sumCityWeeks } from "../../../db/shapes/work/city-hours.ts";
import { countOfferHours } from "../../../durable/engine/statistics/offer-hours.ts";
import { addWatched, watchedSpans } from "../../../durable/engine/statistics/watched-hours.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";
import {
  offerHoursQuery,
  type CityOfferHoursResponse,
  type OfferHoursResponse,
  weekQueryInput,
  type WeekResponse,
} from "../../contract/work/statistics.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { createRateLimiter, requireUnderLimit } from "../../http/rate-limiter.ts";
import { validate } from "../../http/validate.ts";
import { callerObject, loadCallerRecord, recordAhead } from "../caller.ts";
import { loadLogList } from "../../../durable/runtime/log-list.ts";
import { loadFirstListedAt, loadListings } from "./replay.ts";
import { NEWEST_WON } from "../../../db/shapes/log/driver-log.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import {
  addUpWeek,
  blocksKnownFrom,
  mondayAt,
  mondaysInLog,
  weekOf,
  weeksAfter,
} from "../../../durable/engine/statistics/week.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { loadPassedOver } from "./passed-over.ts";

/** More than a driver works in four weeks. */
const MAX_CAPTURES = 1_000;

const offerHoursLimiter = createRateLimiter({ most: 20, windowMs: MINUTE_MS });

/** When and where offers appear. */
export const offerHoursRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", validate("query", offerHoursQuery), async (c) => {
    const { config, now } = c.var.deps;
    requireUnderLimit(offerHoursLimiter, c.var.caller.driverId, now());
    await loadCallerRecord(c);
    const days = c.req.valid("query").days === "7" ? 7 : 28;
    return c.json(
      await loadOfferHours(callerObject(c), { days, currency: config.currency, now: now() }),
      200,
    );
  })
  .get("/city", async (c) => {
    const { config, now } = c.var.deps;
    await loadCallerRecord(c);
    const { warehouses } = await callerObject(c).snapshot();
    const week = cityWeekOf(now());
    const weeks = await listCityWeeks(c.var.db, {
      warehouseIds: warehouses.map(({ warehouseId }) => warehouseId),
      from: week - CITY_WEEKS + 1,
      to: week,
    });
    const response = { currency: config.currency, warehouses: sumCityWeeks(weeks) };
    return c.json(response satisfies CityOfferHoursResponse, 200);
  });

/** Counts the driver's log, beside the polls of their object. */
async function loadOfferHours(
  object: DurableObjectStub<DriverRpc>,
  { days, currency, now }: { days: OfferHoursDays; currency: string; now: EpochMs },
): Promise<OfferHoursResponse> {
  const since = now - days * DAY_MS;
  const [{ changes, from: readFrom }, firstAt, won, { warehouses, lastPollAt }] = await Promise.all([
    // A day more, so that an offer of before the time isn't new in it.
    loadListings(object, since - DAY_MS),
    loadFirstListedAt(object),
    loadLogList(object, "won", { from: since, most: MAX_CAPTURES }),
    object.snapshot(),
  ]);
  const from = Math.max(since, readFrom);
  const captured = new Set(
    won.flatMap(({ event }) => (event.kind === "attempt_settled" ? [event.attempt.offer.offerId] : [])),
  );
  return {
    days,
    currency,
    knownFrom: firstAt === null ? null : Math.max(firstAt, from),
    warehouses: addWatched(countOfferHours({ changes, from, captured, warehouses, currency }), {
      spans: watchedSpans({
        changes,
        knownFrom: Math.max(firstAt ?? now, readFrom),
        lastAnswerAt: lastPollAt,
      }),
      since: from,
      warehouses,
    }),
  };
}

/** Captures that the object reads in one go. */
const WON_PAGE_SIZE = 250;

/** The blocks that were captured since an instant. The log forgets them before the oldest week's week before is over. */
async function loadCaptures(object: DurableObjectStub<DriverRpc>, from: EpochMs): Promise<Block[]> {
  const captured: Block[] = [];
  for (let after = NEWEST_WON; ;) {
    const page = await object.wonBlocks({ after, limit: WON_PAGE_SIZE });
    captured.push(...page.flatMap(({ at, block }) => (at >= from ? [block] : [])));
    const last = page.at(-1);
    if (!last || page.length < WON_PAGE_SIZE || last.at < from) return captured;
    after = { at: last.at, blockId: last.block.blockId };
  }
}

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
    const [firstAt, captured, held, { groups }] = await Promise.all([
      loadFirstListedAt(object),
      loadCaptures(object, before.from),
      object.heldBlocks(),
      loadPassedOver(object, { record, currency, period: week }),
    ]);
    const blocks = { captured, held };
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
