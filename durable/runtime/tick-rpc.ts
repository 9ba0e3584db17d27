import type { EpochMs } from "../../db/shapes/units.ts";

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
