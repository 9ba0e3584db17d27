import { Hono } from "hono";
import type { WarehousesAnswer } from "../contract/warehouses.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { callersObject, callersRecord } from "./driver.ts";

/** The warehouses that the platform opens to the driver. */
export const warehouses = new Hono<App>().get("/", async (c) => {
  const { row } = await callersRecord(c);
  if (!row.proxyInstalled) throw new Failure("not_linked");
  const known = await callersObject(c).warehouses();
  return c.json({ region: row.humanRegion, warehouses: [...known] } satisfies WarehousesAnswer, 200);
});
