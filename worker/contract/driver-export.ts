import * as z from "zod/mini";
import { logEntry } from "../../db/shapes/driver-log.ts";
import { filters } from "../../db/shapes/filters.ts";
import { notificationPreferences } from "../../db/shapes/notifications.ts";
import { block, warehouse } from "../../db/shapes/offer.ts";
import { epochMs } from "../../db/shapes/units.ts";
import { user } from "./user.ts";

/** Rows as the database keeps them: what is in them changes with the database. */
const rows = z.readonly(z.array(z.looseObject({})));

/**
 * GET /flex/v1/user/export: everything that is kept of the driver, as one file. Instants are epoch ms,
 * money cents. Tokens, hashes and whatever is sealed are left out. The log comes last and is streamed: a file
 * that was cut off is not valid JSON, so it can't pass for the whole.
 */
export const driverExport = z.object({
  exportedAt: epochMs,
  /** The account of the user pool; null where the pool is not ours. */
  account: z.nullable(z.looseObject({})),
  user,
  createdAt: epochMs,
  waitingForSpot: z.boolean(),
  /** Null where the driver never changed them. */
  notifications: z.nullable(notificationPreferences),
  /** How many browsers take push messages. Their endpoints are left out. */
  browsersListening: z.int(),
  filters: z.object({ version: z.int(), filters }),
  /** The ledger of service time, in ms. */
  service: rows,
  /** The ledger of points. */
  points: rows,
  payments: rows,
  paymentRefunds: rows,
  blocksWon: rows,
  raffleEntries: rows,
  ownPrices: rows,
  warehouses: z.readonly(z.array(warehouse)),
  held: z.readonly(z.array(block)),
  /** The last 30 days, oldest first. */
  log: z.readonly(z.array(logEntry)),
  /** How many stored rows could not be read, in the log or elsewhere, and are missing here. */
  unreadableRows: z.int(),
});
export type DriverExport = z.infer<typeof driverExport>;
