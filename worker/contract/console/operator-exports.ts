import * as z from "zod/mini";
import { driverId } from "../../../db/shapes/units.ts";
import { fleetDriversQueryInput, fleetDriversResponse } from "./fleet.ts";
import { moneyDays } from "./operator-money.ts";
import { actEntry, actReason } from "./operators.ts";
import { citiesResponse } from "./operator-deployment.ts";
import { driverSearchQueryInput, foundDriver } from "./operator-drivers.ts";
import { disputesInList, paymentsInList, refundsInList } from "./operator-money.ts";
import { operatorFeedback } from "./voice.ts";

/** The most rows that a file has. */
export const EXPORT_LIMIT = 5000;

/** The tables of a driver's page. */
export const driverTable = z.enum([
  "live",
  "filters",
  "service",
  "points",
  "payments",
  "prices",
  "texts",
  "sessions",
  "security",
  "invitations",
  "acts",
]);
export type DriverTable = z.infer<typeof driverTable>;

/** POST /ops/v1/exports: a table for a file, with the parameters of its screen. The log gets a line about it. */
export const exportOrder = z.discriminatedUnion("table", [
  z.strictObject({ table: z.literal("payments"), ...moneyDays, reason: actReason }),
  z.strictObject({ table: z.literal("refunds"), ...moneyDays, reason: actReason }),
  z.strictObject({ table: z.literal("disputes"), ...moneyDays, reason: actReason }),
  z.strictObject({ table: z.literal("drivers"), q: driverSearchQueryInput.shape.q, reason: actReason }),
  z.strictObject({ table: z.literal("acts"), reason: actReason }),
  z.strictObject({ table: z.literal("cities"), reason: actReason }),
  z.strictObject({ table: z.literal("fleet"), in: fleetDriversQueryInput.shape.in, reason: actReason }),
  z.strictObject({ table: z.literal("comments"), reason: actReason }),
  /** A table of a driver's page, which is there already: the log alone. */
  z.strictObject({ table: z.literal("driver"), driver: driverId, part: driverTable, reason: actReason }),
]);
export type ExportOrder = z.infer<typeof exportOrder>;

/** The rows by table, each as on its screen; the others are empty. `isCut`: there are more than a file has. */
export const exportResponse = z.object({
  isCut: z.boolean(),
  payments: paymentsInList.shape.rows,
  refunds: refundsInList.shape.rows,
  disputes: disputesInList.shape.rows,
  drivers: z.array(foundDriver),
  acts: z.array(actEntry),
  cities: citiesResponse.shape.cities,
  fleet: fleetDriversResponse.shape.drivers,
  comments: operatorFeedback.shape.comments,
});
export type ExportResponse = z.infer<typeof exportResponse>;
