import * as z from "zod/mini";
import { filters, mode, specialMode } from "./filters.ts";
import { language } from "./language.ts";
import { notificationPreferences } from "./notifications.ts";
import { driverId, epochMs } from "./units.ts";

/** What D1 says of a driver. The object holds a copy and takes only a higher `revision`. */
export const profile = z.object({
  revision: z.int(),
  switchedOn: z.boolean(),
  mode,
  specialMode: z.nullable(specialMode),
  filters,
  filtersVersion: z.int(),
  /** The end of the paid time; null where none was ever bought. */
  serviceUntil: z.nullable(epochMs),
  /** In line for a spot in the city: may not capture. */
  waitingForSpot: z.boolean(),
});
export type Profile = z.infer<typeof profile>;

/** What happened to a driver's money that changed their service; `source` names it once and for all. */
export const serviceChangeKind = z.enum(["paid", "refunded", "disputed"]);
export const serviceChange = z.object({ source: z.string(), kind: serviceChangeKind });

export type ServiceChange = z.infer<typeof serviceChange>;

/** Who the object belongs to, and what it needs of them outside the machine. */
export const driverOwner = z.object({
  driverId,
  phoneNumber: z.string(),
  language,
  timeZone: z.string(),
  notifications: z.object(notificationPreferences.shape),
});
export type DriverOwner = z.infer<typeof driverOwner>;
