import * as z from "zod/mini";
import { serviceType } from "./filters.ts";
import { blockId, cents, epochMs, offerId, warehouseId } from "../units.ts";

/** A block that is offered, and then held. Pay is for the whole block, without tips. */
const terms = {
  offerId,
  warehouseId,
  serviceType,
  startsAt: epochMs,
  endsAt: epochMs,
  payCents: cents,
  currency: z.string(),
};

/** An offer as the engine sees it. */
export const offer = z.object({
  ...terms,
  surge: z.boolean(),
  expiresAt: epochMs,
});

export type Offer = z.infer<typeof offer>;

/** `other` is a status that we don't know. Such a block counts as held. */
export const blockStatus = z.enum(["scheduled", "checked_in", "completed", "forfeited", "other"]);

/** A block that the driver holds or held, whether Jornada or the driver accepted it. */
export const block = z.object({
  blockId,
  ...terms,
  status: blockStatus,
  acceptedAt: epochMs,
  checkedInAt: z.nullable(epochMs),
});

export type Block = z.infer<typeof block>;

export const warehouse = z.object({
  warehouseId,
  /** Null if the platform gives no name. */
  name: z.nullable(z.string()),
  address: z.nullable(z.string()),
  serviceType,
  timeZone: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  geofenceMeters: z.number(),
});

export type Warehouse = z.infer<typeof warehouse>;
