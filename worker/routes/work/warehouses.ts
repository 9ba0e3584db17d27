import { Hono } from "hono";
import type { WarehousesResponse } from "../../contract/work/warehouses.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { callerObject, loadCallerRecord, recordAhead } from "../caller.ts";

/** The warehouses at which the driver can work. */
export const warehouseRoutes = new Hono<AppEnv>().use(recordAhead).get("/", async (c) => {
  const { row } = await loadCallerRecord(c);
  if (!row.proxyInstalled) throw new ApiError("not_linked");
  const known = await callerObject(c).warehouses();
  return c.json({ region: row.humanRegion, warehouses: [...known] } satisfies WarehousesResponse, 200);
});
