import { Hono } from "hono";
import type { AppEnv } from "../../http/app-env.ts";
import { listDriverRaffles } from "../../payments/raffles.ts";

/** The raffles that the caller is in. */
export const raffleRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const { caller, db, deps } = c.var;
  return c.json(await listDriverRaffles(db, caller.driverId, deps.now()), 200);
});
