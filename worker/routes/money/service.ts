import { Hono, type Context } from "hono";
import type { AppEnv } from "../../http/app-env.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";
import { listPlans } from "../../payments/prices/plans.ts";
import { loadCallerRecord, recordAhead, syncObject, syncCallerObject } from "../caller.ts";
import {
  beginPause,
  endPause,
  loadPauseStatus,
  type PauseStatus,
} from "../../../db/queries/payments/pauses.ts";
import { pauseInput, type PauseResponse } from "../../../db/shapes/money/pause.ts";
import { ahead, readsAhead } from "../../http/gate/read-ahead.ts";
import { validate } from "../../http/validate.ts";
import { claimSpot, takeFreeSpot } from "../../../db/queries/spots/spots.ts";
import { loadWait } from "../../../db/queries/spots/waited-days.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { describeSpot, toSpotResponse } from "../../cities/spots.ts";
import { listLostDays } from "../../../db/queries/payments/lost-days.ts";
import type { LostDaysResponse } from "../../contract/money/service.ts";

/** The plans that are for sale, at the caller's prices now. */
export const planRoutes = new Hono<AppEnv>().use(recordAhead).get("/", async (c) => {
  const checkout = createCheckoutContext({ deps: c.var.deps, db: c.var.db });
  return c.json(await listPlans(checkout, await loadCallerRecord(c)), 200);
});

const pauseAhead = ahead((c, driverId) => loadPauseStatus(c.var.db, driverId, c.var.deps.now()));

/** The caller's pauses. */
export const pauseRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .use(readsAhead(pauseAhead.start))
  .get("/", async (c) => {
    await loadCallerRecord(c);
    return c.json(toPauseResponse(await pauseAhead.of(c)), 200);
  })
  .post("/", validate("json", pauseInput), async (c) => {
    const { row } = await loadCallerRecord(c);
    const status = await pauseAhead.of(c);
    const { time, obstacle } = status;
    const { days } = c.req.valid("json");
    const isPossible = time.until === null && obstacle === null && days <= time.daysLeft;
    if (!isPossible) return c.json(toPauseResponse(status), 200);
    const changed = await beginPause(c.var.db, row.id, { days, time, now: c.var.deps.now() });
    if (changed.record) await syncObject(c, changed.record);
    return c.json(toPauseResponse(changed.status), 200);
  })
  .delete("/", async (c) => {
    const { row } = await loadCallerRecord(c);
    const status = await pauseAhead.of(c);
    const { latest, until } = status.time;
    if (latest === null || until === null) return c.json(toPauseResponse(status), 200);
    const changed = await endPause(c.var.db, row.id, { pause: { latest, until }, now: c.var.deps.now() });
    if (changed.record) await syncObject(c, changed.record);
    return c.json(toPauseResponse(changed.status), 200);
  });

function toPauseResponse({ time, serviceUntil, obstacle }: PauseStatus): PauseResponse {
  const { until, pausesLeft, daysLeft } = time;
  return { pausedUntil: until, pausesLeft, daysLeft, obstacle, serviceUntil };
}

const waitAhead = ahead((c, driverId) => loadWait(c.var.db, driverId));

/** The caller's spot in their city, or their place in its line. */
export const spotRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", async (c) => {
    await loadCallerRecord(c);
    return c.json(await callerSpot(c), 200);
  })
  .post("/take", readsAhead(waitAhead.start), async (c) => {
    const { row } = await loadCallerRecord(c);
    const wait = await waitAhead.of(c);
    const now = c.var.deps.now();
    const { isTaken, standing, driver } = await takeFreeSpot(c.var.db, row.id, { wait, now });
    if (driver) await syncObject(c, driver);
    const answer = toSpotResponse(standing, now);
    if (!isTaken && answer.spot?.status !== "held") throw new ApiError("spot_gone");
    return c.json(answer, 200);
  })
  .post("/join", async (c) => {
    const { row } = await loadCallerRecord(c);
    const answer = await callerSpot(c);
    const { spot } = answer;
    if (spot?.status !== "left") return c.json(answer, 200);
    await claimSpot(c.var.db, { driverId: row.id, region: spot.city, now: c.var.deps.now() });
    const [joined] = await Promise.all([callerSpot(c), syncCallerObject(c)]);
    return c.json(joined, 200);
  });

function callerSpot(c: Context<AppEnv>) {
  return describeSpot(c.var.db, c.var.caller.driverId, c.var.deps.now());
}

/** The caller's days with lost time. */
export const lostDayRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const rows = await listLostDays(c.var.db, c.var.caller.driverId);
  const days = rows.map(({ date, lostMs, givenMs }) => ({ date, lostMs, givenMs }));
  return c.json({ days } satisfies LostDaysResponse, 200);
});
