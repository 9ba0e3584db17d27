import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { DEVICE_TIME_ZONE } from "../language/format.ts";
import { m } from "../../messages/messages.js";

/** Where an offer is, and the time zone and currency to format it in. */
export type OfferPlace = { name: string; timeZone: string; currency: string; warehouse: Warehouse | null };

/** Where an offer or block is, with the time zone and currency to format it in: the device's, if the warehouse isn't known. */
export function offerPlace(
  { warehouseId, currency }: { warehouseId: string; currency: string },
  warehouses: readonly Warehouse[],
): OfferPlace {
  const warehouse = warehouses.find((known) => known.warehouseId === warehouseId);
  return {
    name: warehouseName(warehouse),
    timeZone: warehouse?.timeZone ?? DEVICE_TIME_ZONE,
    currency,
    warehouse: warehouse ?? null,
  };
}

/** A warehouse's name, or that it has none. */
export function warehouseName(warehouse: Pick<Warehouse, "name"> | undefined): string {
  return warehouse?.name ?? m.warehouse_unnamed();
}

/** Directions to a warehouse, for whatever maps app the device opens the link with. */
export function directionsUrl({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const query = new URLSearchParams({ api: "1", destination: `${latitude},${longitude}` });
  return `https://www.google.com/maps/dir/?${query.toString()}`;
}
