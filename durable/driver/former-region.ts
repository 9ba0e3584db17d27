import { forgetDriverObject } from "../../db/queries/fleet/driver-objects.ts";
import { loadLinkedObject } from "../../db/queries/fleet/platform-accounts.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { describeError } from "../runtime/describe-error.ts";
import { objectName } from "./object-name.ts";

type FormerRegionDeps = {
  deps: Pick<Deps, "config" | "db" | "log">;
  /** The object's own name. */
  name: string | null;
  /** The driver whose object it is; null without one. */
  driverId: () => DriverId | null;
  /** Leaves the driver's captured blocks for the object in today's region. */
  leaveBlocks: (driverId: DriverId) => Promise<void>;
  /** Erases the object, and ends its session on the platform. */
  erase: () => Promise<void>;
};

/**
 * The end of an object in a region that is no longer the one of new objects. It works on for its driver until the driver is
 * gone, has unlinked or has linked another object since. The Worker reaches or wakes it when one of these happens; one that could not
 * be reached asks with its hourly work.
 */
export class FormerRegion {
  readonly #deps: FormerRegionDeps;

  constructor(deps: FormerRegionDeps) {
    this.#deps = deps;
  }

  /** @returns whether the object has erased itself: there is nothing left to do */
  async eraseIfLeft(): Promise<boolean> {
    const { deps, name, leaveBlocks, erase } = this.#deps;
    const driverId = this.#deps.driverId();
    if (name === null || driverId === null || name === objectName(deps.config.platform.region, driverId))
      return false;
    try {
      const found = await loadLinkedObject(deps.db, driverId);
      const isElsewhere = found !== null && found.objectName !== null && found.objectName !== name;
      if (found?.isLinked && !isElsewhere) return false;
      deps.log("warn", "driver.left.behind", { driverId });
      if (found !== null) await leaveBlocks(driverId);
      await erase();
      await forgetDriverObject(deps.db, { driverId, objectName: name });
      return true;
    } catch (error) {
      // Without the database nobody knows, and the driver may still count on this object.
      deps.log("warn", "driver.left.unknown", { driverId, ...describeError(error) });
      return false;
    }
  }
}
