import * as z from "zod/mini";
import { filters, mode, specialMode } from "./filters.ts";
import { language } from "./language.ts";
import { notificationPreferences } from "./notifications.ts";
import { driverId, epochMs } from "./units.ts";

/** A driver's settings and service time. D1 owns them; the driver's object keeps a copy and accepts only a higher `revision`. */
export const profile = z.object({
  revision: z.int(),
  switchedOn: z.boolean(),
  mode,
  specialMode: z.nullable(specialMode),
  filters,
  filtersVersion: z.int(),
  /** The end of the paid time; null if the driver never had any. */
  serviceUntil: z.nullable(epochMs),
  /** On the waitlist for a spot in the city, and not allowed to capture until there is one. */
  waitingForSpot: z.boolean(),
});
export type Profile = z.infer<typeof profile>;

/** A payment event that changed a driver's service time. `source` is its unique, stable id. */
export const serviceChangeKind = z.enum(["paid", "refunded", "disputed"]);
export const serviceChange = z.object({ source: z.string(), kind: serviceChangeKind });

export type ServiceChange = z.infer<typeof serviceChange>;

/** The driver that an object belongs to, with what the object needs beside the engine's state. */
export const driverOwner = z.object({
  driverId,
  phoneNumber: z.string(),
  language,
  timeZone: z.string(),
  notifications: z.object(notificationPreferences.shape),
});
export type DriverOwner = z.infer<typeof driverOwner>;
