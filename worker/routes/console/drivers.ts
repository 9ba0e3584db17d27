import { Hono } from "hono";
import { actOnDriver } from "../../console/driver-acts.ts";
import { loadDriverLive, loadDriverPage, searchDrivers } from "../../console/driver-page.ts";
import { loadRecord } from "../../console/act-plans.ts";
import { actHeaders } from "../../contract/console/operators.ts";
import { driverAct } from "../../contract/console/operator-acts.ts";
import { driverParams, driverSearchQueryInput } from "../../contract/console/operator-drivers.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { forSupport } from "../../http/gate/operator-gate.ts";
import { validate } from "../../http/validate.ts";
import { listFleetDrivers, loadFleet } from "../../console/fleet.ts";
import { fleetDriversQueryInput, fleetQueryInput, citiesQueryInput } from "../../contract/console/fleet.ts";
import { showCities } from "../../console/cities.ts";
import { consoleContext } from "./context.ts";

/** Finding a driver, what an operator sees of one, and what an operator does. */
export const consoleDriverRoutes = new Hono<AppEnv>()
  .get("/", forSupport(), validate("query", driverSearchQueryInput), async (c) => {
    return c.json(await searchDrivers(consoleContext(c), c.req.valid("query").q), 200);
  })
  .get("/:id", forSupport(), validate("param", driverParams), async (c) => {
    return c.json(await loadDriverPage(consoleContext(c), c.req.valid("param").id), 200);
  })
  .get("/:id/live", forSupport(), validate("param", driverParams), async (c) => {
    const { id } = c.req.valid("param");
    await loadRecord(consoleContext(c), id);
    return c.json(await loadDriverLive(consoleContext(c), id), 200);
  })
  .post(
    "/:id/acts",
    forSupport(),
    validate("param", driverParams),
    validate("header", actHeaders),
    validate("json", driverAct),
    async (c) => {
      const target = { driverId: c.req.valid("param").id, id: c.req.valid("header")["idempotency-key"] };
      return c.json(await actOnDriver(consoleContext(c), target, c.req.valid("json")), 200);
    },
  );

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
