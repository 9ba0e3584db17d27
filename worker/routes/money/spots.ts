import { Hono, type Context } from "hono";
import { claimSpot, takeFreeSpot } from "../../../db/queries/spots/spots.ts";
import { loadWait } from "../../../db/queries/spots/waited-days.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { ahead, readsAhead } from "../../http/gate/read-ahead.ts";
import { describeSpot, toSpotResponse } from "../../spots/spot.ts";
import { loadCallerRecord, recordAhead, syncCallerObject, syncObject } from "../caller.ts";

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
