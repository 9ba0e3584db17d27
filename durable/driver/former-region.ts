import { forgetDriverObject } from "../../db/queries/fleet/driver-objects.ts";
import { loadLinkedObject } from "../../db/queries/fleet/platform-accounts.ts";
import { MINUTE_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { describeError } from "../runtime/describe-error.ts";
import { objectName } from "./object-name.ts";

/** How often an object that stays awake asks again. */
const CHECK_INTERVAL_MS = MINUTE_MS;

type FormerRegionDeps = {
  deps: Pick<Deps, "config" | "db" | "now" | "log">;
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
 * gone, has unlinked or has linked another object since; then it erases itself at whatever wakes it next. The Worker reaches it
 * when one of these happens; this is for an object that could not be reached.
 */
export class FormerRegion {
  readonly #deps: FormerRegionDeps;
  #checkedAt: EpochMs | null = null;

  constructor(deps: FormerRegionDeps) {
    this.#deps = deps;
  }

  /** @returns whether the object has erased itself: there is nothing left to do */
  async eraseIfLeft(): Promise<boolean> {
    const { deps, name, leaveBlocks, erase } = this.#deps;
    const driverId = this.#deps.driverId();
    if (name === null || driverId === null || name === objectName(deps.config.platform.region, driverId))
      return false;
    const now = deps.now();
    if (this.#checkedAt !== null && now - this.#checkedAt < CHECK_INTERVAL_MS) return false;
    try {
      const found = await loadLinkedObject(deps.db, driverId);
      this.#checkedAt = now;
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
