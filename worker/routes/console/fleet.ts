import { Hono } from "hono";
import { listFleetDrivers, loadFleet } from "../../console/fleet.ts";
import { fleetDriversQueryInput, fleetQueryInput, citiesQueryInput } from "../../contract/console/fleet.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { forSupport } from "../../http/gate/operator-gate.ts";
import { validate } from "../../http/validate.ts";
import { consoleContext } from "./context.ts";
import { showCities } from "../../console/cities.ts";

/** The states of all drivers' objects; and offers, captures and their absence by city. */
export const consoleFleetRoutes = new Hono<AppEnv>()
  .get("/", forSupport(), validate("query", fleetQueryInput), async (c) => {
    return c.json(await loadFleet(consoleContext(c), c.req.valid("query").span), 200);
  })
  .get("/drivers", forSupport(), validate("query", fleetDriversQueryInput), async (c) => {
    return c.json(await listFleetDrivers(consoleContext(c), c.req.valid("query").in), 200);
  })
  .get("/cities", forSupport(), validate("query", citiesQueryInput), async (c) => {
    return c.json(await showCities(consoleContext(c), c.req.valid("query").span), 200);
  });
