import { Hono } from "hono";
import { showCities } from "../../console/cities.ts";
import { citiesQueryInput } from "../../contract/console/cities.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { forSupport } from "../../http/gate/operator-gate.ts";
import { validate } from "../../http/validate.ts";
import { consoleContext } from "./context.ts";

/** Offers, captures and their absence by city. */
export const consoleCityRoutes = new Hono<AppEnv>().get(
  "/",
  forSupport(),
  validate("query", citiesQueryInput),
  async (c) => c.json(await showCities(consoleContext(c), c.req.valid("query").span), 200),
);
