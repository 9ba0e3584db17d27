import type { Warehouse } from "../../../durable/engine/types.ts";
import { m } from "../../messages/messages.js";
import type { Place } from "./reason-words.ts";

/** The device's own zone, for a warehouse that is not known (any more). */
const HERE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Where an offer or block is, and in what its figures are said. */
export function placeOf(
  { warehouseId, currency }: { warehouseId: string; currency: string },
  warehouses: readonly Warehouse[],
): Place {
  const warehouse = warehouses.find((known) => known.warehouseId === warehouseId);
  return {
    name: nameOf(warehouse),
    timeZone: warehouse?.timeZone ?? HERE,
    currency,
    warehouse: warehouse ?? null,
  };
}

/** A warehouse's name; unnamed ones stay so. */
export function nameOf(warehouse: Pick<Warehouse, "name"> | undefined): string {
  return warehouse?.name ?? m.warehouse_unnamed();
}
