import { Hono, type Context } from "hono";
import { saveFilters } from "../../../db/queries/work/filters.ts";
import { filtersHeaders, filtersInput, type FiltersResponse } from "../../contract/work/filters.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { findCallerFilterGaps, loadCallerRecord, loadKnownWarehouses, syncCallerObject } from "../caller.ts";
import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";

/** The driver's filters, with a version so that a second tab can't overwrite the first one's. */
export const filterRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const response = await toResponse(c, await loadCallerRecord(c));
    c.header("etag", `"${response.version}"`);
    return c.json(response, 200);
  })
  .put("/", validate("json", filtersInput), validate("header", filtersHeaders), async (c) => {
    const given = c.req.valid("json");
    const ids = given.warehouses.map((rule) => rule.warehouseId);
    if (new Set(ids).size !== ids.length)
      throw new ApiError("invalid_request", { fields: { warehouses: "invalid" } });
    if (!given.warehouses.some((rule) => rule.selected)) {
      throw new ApiError("invalid_request", { fields: { warehouses: "none_selected" } });
    }
    await loadCallerRecord(c);
    const saved = await saveFilters(c.var.db, c.var.caller.driverId, {
      filters: given,
      version: Number(c.req.valid("header")["if-match"].slice(1, -1)),
      saveId: crypto.randomUUID(),
      listed: await loadKnownWarehouses(c),
    });
    if (saved === null) throw new ApiError("stale_version");
    c.header("etag", `"${saved}"`);
    return c.json(await toResponse(c, await syncCallerObject(c)), 200);
  });

async function toResponse(c: Context<AppEnv>, { profile }: DriverRecord): Promise<FiltersResponse> {
  const { filters, filtersVersion: version } = profile;
  const fields = await findCallerFilterGaps(c, filters);
  const complete = Object.keys(fields).length === 0;
  return { filters, version, complete, ...(complete ? {} : { fields }) };
}
