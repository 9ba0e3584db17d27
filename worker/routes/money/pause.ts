import { Hono } from "hono";
import {
  beginPause,
  endPause,
  loadPauseStatus,
  type PauseStatus,
} from "../../../db/queries/payments/pauses.ts";
import { pauseInput, type PauseResponse } from "../../../db/shapes/money/pause.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ahead, readsAhead } from "../../http/gate/read-ahead.ts";
import { validate } from "../../http/validate.ts";
import { loadCallerRecord, recordAhead, syncObject } from "../caller.ts";

const statusAhead = ahead((c, driverId) => loadPauseStatus(c.var.db, driverId, c.var.deps.now()));

/** The caller's pauses. */
export const pauseRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .use(readsAhead(statusAhead.start))
  .get("/", async (c) => {
    await loadCallerRecord(c);
    return c.json(toResponse(await statusAhead.of(c)), 200);
  })
  .post("/", validate("json", pauseInput), async (c) => {
    const { row } = await loadCallerRecord(c);
    const status = await statusAhead.of(c);
    const { time, obstacle } = status;
    const { days } = c.req.valid("json");
    const isPossible = time.until === null && obstacle === null && days <= time.daysLeft;
    if (!isPossible) return c.json(toResponse(status), 200);
    const changed = await beginPause(c.var.db, row.id, { days, time, now: c.var.deps.now() });
    if (changed.record) await syncObject(c, changed.record);
    return c.json(toResponse(changed.status), 200);
  })
  .delete("/", async (c) => {
    const { row } = await loadCallerRecord(c);
    const status = await statusAhead.of(c);
    const { latest, until } = status.time;
    if (latest === null || until === null) return c.json(toResponse(status), 200);
    const changed = await endPause(c.var.db, row.id, { pause: { latest, until }, now: c.var.deps.now() });
    if (changed.record) await syncObject(c, changed.record);
    return c.json(toResponse(changed.status), 200);
  });

function toResponse({ time, serviceUntil, obstacle }: PauseStatus): PauseResponse {
  const { until, pausesLeft, daysLeft } = time;
  return { pausedUntil: until, pausesLeft, daysLeft, obstacle, serviceUntil };
}
