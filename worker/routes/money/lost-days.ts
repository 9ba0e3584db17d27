import { Hono } from "hono";
import { listLostDays } from "../../../db/queries/payments/lost-days.ts";
import type { LostDaysResponse } from "../../contract/money/lost-days.ts";
import type { AppEnv } from "../../http/app-env.ts";

/** The caller's days with lost time. */
export const lostDayRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const rows = await listLostDays(c.var.db, c.var.caller.driverId);
  const days = rows.map(({ date, lostMs, givenMs }) => ({ date, lostMs, givenMs }));
  return c.json({ days } satisfies LostDaysResponse, 200);
});
