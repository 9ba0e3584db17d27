import type { Warehouse } from "../../../db/shapes/offer.ts";
import { m } from "../../messages/messages.js";
import type { OfferPlace } from "./reason-messages.ts";

/** The device's own zone, for a warehouse that is not known (any more). */
const DEVICE_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Where an offer or block is, and in what its figures are said. */
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

/** A warehouse's name; unnamed ones stay so. */
export function warehouseName(warehouse: Pick<Warehouse, "name"> | undefined): string {
  return warehouse?.name ?? m.warehouse_unnamed();
}

/** The way to a warehouse, in whatever maps the device opens the address with. */
export function directionsUrl({ latitude, longitude }: { latitude: number; longitude: number }): string {
  const query = new URLSearchParams({ api: "1", destination: `${latitude},${longitude}` });
  return `https://www.google.com/maps/dir/?${query.toString()}`;
}
