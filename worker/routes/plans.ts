import { Hono } from "hono";
import type { AppEnv } from "../http/app-env.ts";
import { listPlans } from "../payments/plans.ts";
import { loadCallerRecord } from "./caller.ts";

/** The plans that are for sale, at the caller's prices now. */
export const planRoutes = new Hono<AppEnv>().get("/", async (c) => {
  return c.json(await listPlans(c.var, await loadCallerRecord(c)), 200);
});
