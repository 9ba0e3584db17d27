import * as z from "zod/mini";
import { warehouse } from "../../db/shapes/offer.ts";

/** GET /flex/v1/warehouses: the driver's own. Unnamed ones stay unnamed (`name` null). */
export const warehousesResponse = z.object({
  /** The driver's city, by the platform's name for it. */
  region: z.nullable(z.string()),
  warehouses: z.array(warehouse),
});
export type WarehousesResponse = z.infer<typeof warehousesResponse>;
