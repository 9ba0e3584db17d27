import type { DriverRpc } from "./driver-rpc.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { FleetReport } from "../../db/shapes/fleet.ts";

/** Bindings, and settings as unparsed strings. */
export type Env = {
  DB: D1Database;
  DRIVER: DurableObjectNamespace<DriverRpc>;
  /** Outlives the database, for when it is restored. Without it nobody knows then who was deleted since. */
  RESTORE_RECORD?: DurableObjectNamespace<RestoreRecordRpc>;
  /** Wakes drivers' objects that lost their alarm. Without it nobody does. */
  WATCH?: DurableObjectNamespace<WatchRpc>;
  /** Calls drivers' objects for their polls, where the setting wants that. */
  TICK?: DurableObjectNamespace<TickRpc>;
  /** Takes announcements and renewals to whoever carries them out. Without it the cron does some of them each minute. */
  TASKS?: Queue;
  ASSETS: Fetcher;
  /** Metric points by minute and city. None are written where it is not bound. */
  METRICS?: AnalyticsEngineDataset;
  /** Bound only in development and tests: replaces every outside service. */
  SANDBOX?: Fetcher;
  /** Rate limit of calls of the user pool, per address. No limit if unbound; texts have exact ones of their own. */
  IDENTITY_LIMIT?: RateLimit;
  /** The same for calls about payments. */
  PAYMENT_LIMIT?: RateLimit;
} & { [setting: string]: unknown };

/** When a driver was last erased, or their renewal turned off. */
export type Recorded = { id: DriverId; at: EpochMs };

/** An outage of the database: when the crons first and last saw it, and when they told operators; null before. */
export type DatabaseOutage = { since: EpochMs; seenAt: EpochMs; toldAt: EpochMs | null };

/** The record that outlives the database, for when it is restored, and for what is known while it doesn't answer. */
export type RestoreRecordRpc = Rpc.DurableObjectBranded & {
  /** An account is being deleted. */
  recordErased(id: DriverId, at: EpochMs): Promise<void>;
  listErasures(): Promise<Recorded[]>;
  /** A renewal was turned off, by whatever the driver or support did, or on again. */
  recordRenewal(id: DriverId, change: { isOn: boolean; at: EpochMs }): Promise<void>;
  listRenewalsOff(): Promise<Recorded[]>;
  /** No renewal takes a step until they are released. */
  holdRenewals(at: EpochMs): Promise<void>;
  releaseRenewals(): Promise<void>;
  renewalsHeldSince(): Promise<EpochMs | null>;
  /** The database's outage, until operators know of its end. */
  outage(): Promise<DatabaseOutage | null>;
  noteOutage(outage: DatabaseOutage): Promise<void>;
  endOutage(): Promise<void>;
};

/** A driver's object, and by when it must have woken again. */
export type WatchedObject = { driverId: DriverId; objectName: string; dueAt: EpochMs };

/**
 * One that did not wake by then. `failure`: what it threw when it was last woken; null where it did not answer or beats
 * again soon.
 */
export type OverdueObject = WatchedObject & { failure: string | null };

/** One of the objects that watch over drivers' objects. */
export type WatchRpc = Rpc.DurableObjectBranded & {
  /** The object woke, and must have woken again by then. */
  beat(watched: WatchedObject): Promise<void>;
  /** Takes what an object counted and does, and stores it in D1 with those of others. */
  report(report: FleetReport): Promise<void>;
  /** These have nothing to wake for. */
  forget(driverIds: readonly DriverId[]): Promise<void>;
  /**
   * Wakes those that are overdue, the longest untried first, and takes up those that are given and that it doesn't know.
   * @returns all that are overdue now, as far as one call can wake them
   */
  round(given: readonly WatchedObject[]): Promise<OverdueObject[]>;
  /** The drivers whose objects it watches over. */
  list(): Promise<DriverId[]>;
};

/** A driver's object by its name, and when it wants to be called. */
export type TickedObject = { objectName: string; at: EpochMs };

/** One of the objects that call drivers' objects when their next poll is due. */
export type TickRpc = Rpc.DurableObjectBranded & {
  /**
   * Calls the object then, and on at what each of its calls returns.
   * @returns whether it does: a ticker that has enough objects takes no other
   */
  due(ticked: TickedObject): Promise<boolean>;
};
