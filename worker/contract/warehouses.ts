import * as z from "zod/mini";
import { warehouse } from "../../durable/engine/types.ts";

/** GET /flex/v1/warehouses: the driver's own. Unnamed ones stay unnamed (`name` null). */
export const warehousesAnswer = z.object({
  /** The name of the driver's city, as the platform says it. */
  region: z.nullable(z.string()),
  warehouses: z.array(warehouse),
});
export type WarehousesAnswer = z.infer<typeof warehousesAnswer>;
