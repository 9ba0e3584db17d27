import * as z from "zod/mini";
import { driverId } from "../../db/shapes/units.ts";
import { fleetDriversQuery, fleetDriversResponse } from "./fleet.ts";
import { moneyDays } from "./operator-money.ts";
import { actEntry, citiesResponse, driverSearchQuery, foundDriver, reason } from "./operators.ts";
import { disputesInList, paymentsInList, refundsInList } from "./operator-money.ts";
import { operatorFeedback } from "./voice.ts";

/** The most rows that a file has. */
export const EXPORT_LIMIT = 5000;

/** POST /ops/v1/exports: a table for a file, by what its screen asks for. The log has a line of it. */
export const exportOrder = z.discriminatedUnion("table", [
  z.strictObject({ table: z.literal("payments"), ...moneyDays, reason }),
  z.strictObject({ table: z.literal("refunds"), ...moneyDays, reason }),
  z.strictObject({ table: z.literal("disputes"), ...moneyDays, reason }),
  z.strictObject({ table: z.literal("drivers"), q: driverSearchQuery.shape.q, reason }),
  z.strictObject({ table: z.literal("acts"), reason }),
  z.strictObject({ table: z.literal("cities"), reason }),
  z.strictObject({ table: z.literal("fleet"), in: fleetDriversQuery.shape.in, reason }),
  z.strictObject({ table: z.literal("comments"), reason }),
  /** A driver's page, whose tables are there already: the log alone. */
  z.strictObject({ table: z.literal("driver"), driver: driverId, reason }),
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
