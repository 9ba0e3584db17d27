import { Hono } from "hono";
import { saveFilters } from "../../db/queries/filters.ts";
import { filtersInput, type FiltersAnswer } from "../contract/filters.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { validated } from "../http/validated.ts";
import { callersRecord, tellObject } from "./driver.ts";
import type { DriverRecord } from "../../db/queries/drivers.ts";

/** The driver's rules, with a version that guards them against a second tab. */
export const filters = new Hono<App>()
  .get("/", async (c) => {
    const answer = answerOf(await callersRecord(c));
    c.header("etag", `"${answer.version}"`);
    return c.json(answer, 200);
  })
  .put("/", validated("json", filtersInput), async (c) => {
    const version = /^"(\d{1,9})"$/.exec(c.req.header("if-match") ?? "")?.[1];
    if (version === undefined) throw new Failure("invalid_request", { fields: { "if-match": "required" } });
    const given = c.req.valid("json");
    const ids = given.warehouses.map((rule) => rule.warehouseId);
    if (new Set(ids).size !== ids.length)
      throw new Failure("invalid_request", { fields: { warehouses: "invalid" } });
    if (!given.warehouses.some((rule) => rule.selected)) {
      throw new Failure("invalid_request", { fields: { warehouses: "none_selected" } });
    }
    await callersRecord(c);
    const saved = await saveFilters(c.var.db, c.var.caller.driverId, {
      filters: given,
      version: Number(version),
      saveId: crypto.randomUUID(),
    });
    if (saved === null) throw new Failure("stale_version");
    c.header("etag", `"${saved}"`);
    return c.json(answerOf(await tellObject(c)), 200);
  });

function answerOf({ profile, filtersComplete }: DriverRecord): FiltersAnswer {
  return { filters: profile.filters, version: profile.filtersVersion, complete: filtersComplete };
}
