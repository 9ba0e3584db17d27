import type { FleetReport } from "../../db/shapes/fleet.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";

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
