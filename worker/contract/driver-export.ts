import type { Block, Warehouse } from "../../db/shapes/offer.ts";
import type { LogEvent } from "../../db/shapes/driver-log.ts";
import type { Filters } from "../../db/shapes/filters.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { NotificationPreferences } from "../../db/shapes/notifications.ts";
import type { User } from "./user.ts";

/**
 * GET /flex/v1/user/export: everything that is kept of the driver, as one file. Instants are epoch ms,
 * money cents. Tokens, hashes and whatever is sealed are left out. A file that breaks off in its log is
 * no JSON, so nobody takes it for whole.
 */
export type DriverExport = {
  exportedAt: EpochMs;
  /** The account of the user pool; null where the pool is not ours. */
  account: Record<string, unknown> | null;
  user: User;
  createdAt: EpochMs;
  waitingForSpot: boolean;
  /** Null where the driver never chose. */
  notifications: NotificationPreferences | null;
  /** How many browsers are told of captures. Their addresses are theirs and are left out. */
  browsersListening: number;
  filters: { version: number; filters: Filters };
  /** The ledgers of service time (ms) and points. */
  service: readonly object[];
  points: readonly object[];
  payments: readonly object[];
  blocksWon: readonly object[];
  raffleEntries: readonly object[];
  ownPrices: readonly object[];
  warehouses: readonly Warehouse[];
  held: readonly Block[];
  /** The log of 30 days, oldest first. */
  log: readonly { seq: number; event: LogEvent }[];
  /** How many stored rows could not be read, in the log or elsewhere, and are missing here. */
  unreadableRows: number;
};
