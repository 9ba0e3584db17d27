import * as z from "zod";
import type { Offer, Warehouse } from "../../../db/shapes/work/offer.ts";
import type { Reading } from "../drift.ts";
import { GENEROUS, STRICT, type Fields } from "../fields.ts";
import { optionalText, serviceWord, timeZone } from "./words.ts";

/** Half the way around the Earth: a fence that everybody is inside of, so that the platform's own decides. */
const NO_FENCE_METERS = 20_100_000;

const latitude = z.number().min(-90).max(90);
const longitude = z.number().min(-180).max(180);

function warehouseShape(
  fields: Fields,
  words: {
    serviceType: z.ZodType<Offer["serviceType"]>;
    name: z.ZodType<string | null | undefined>;
    address: z.ZodType<string | null | undefined>;
    location: z.ZodType<{ latitude: number; longitude: number } | null>;
    geofenceMeters: z.ZodType<number | null>;
  },
): z.ZodType<Warehouse> {
  return z
    .object({ warehouseId: fields.warehouseId, timeZone, ...words })
    .transform(({ location, name, address, geofenceMeters, ...rest }): Warehouse => {
      // Without its place or its fence nobody can say that the driver is too far away.
      const isPlaced = location !== null && geofenceMeters !== null;
      return {
        ...rest,
        name: name || null,
        address: address || null,
        latitude: location?.latitude ?? 0,
        longitude: location?.longitude ?? 0,
        geofenceMeters: isPlaced ? geofenceMeters : NO_FENCE_METERS,
      };
    });
}

/** A warehouse; the name is null if the platform leaves it out. */
export const warehouseReading: Reading<Warehouse> = {
  strict: warehouseShape(STRICT, {
    serviceType: serviceWord.strict,
    name: z.string().optional(),
    address: z.string().optional(),
    location: z.object({ latitude, longitude }),
    geofenceMeters: z.number().nonnegative(),
  }),
  generous: warehouseShape(GENEROUS, {
    serviceType: serviceWord.generous,
    name: optionalText,
    address: optionalText,
    location: z.object({ latitude, longitude }).nullable().catch(null),
    geofenceMeters: z.number().nonnegative().nullable().catch(null),
  }),
};

/** Its items are parsed one by one, so that a malformed item doesn't discard the others. */
export const warehousesJson = z.object({ warehouses: z.array(z.unknown()) });
