import { Hono } from "hono";
import type { AppEnv } from "../../http/app-env.ts";
import { createCheckoutContext } from "../../payments/checkout.ts";
import { listPlans } from "../../payments/prices/plans.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";

/** The plans that are for sale, at the caller's prices now. */
export const planRoutes = new Hono<AppEnv>().use(recordAhead).get("/", async (c) => {
  const checkout = createCheckoutContext({ deps: c.var.deps, db: c.var.db });
  return c.json(await listPlans(checkout, await loadCallerRecord(c)), 200);
});
