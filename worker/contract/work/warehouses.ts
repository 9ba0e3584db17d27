import * as z from "zod/mini";
import { warehouse } from "../../../db/shapes/work/offer.ts";
import type { ApiRoute } from "../api-route.ts";

/** GET /flex/v1/warehouses: the driver's own. Unnamed ones stay unnamed (`name` null). */
export const warehousesResponse = z.object({
  /** The driver's city, by the platform's name for it. */
  region: z.nullable(z.string()),
  warehouses: z.array(warehouse),
});
export type WarehousesResponse = z.infer<typeof warehousesResponse>;

/** The driver's warehouses. */
export const WAREHOUSE_ROUTES = {
  "GET /flex/v1/warehouses": {
    summary: "The warehouses at which the driver can work.",
    auth: "bearer",
    responses: { 200: warehousesResponse },
    errors: ["not_found", "not_linked"],
  },
} as const satisfies Record<string, ApiRoute>;
