import { claimDriverObject, forgetDriverObject } from "../../db/queries/fleet/driver-objects.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import { loadLinkedObject } from "../../db/queries/fleet/platform-accounts.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { Machine } from "./machine.ts";
import { objectName } from "./object-name.ts";
import type { PlatformAccount } from "./platform-account.ts";
import { readOwner } from "./read-call.ts";

type OwnershipDeps = {
  deps: Pick<Deps, "db" | "now" | "config">;
  machine: Pick<Machine, "owner" | "setOwner">;
  account: Pick<PlatformAccount, "forgetOwner">;
  /** The object's own. */
  objectName: string | null;
};

/** The driver whose object it is. The Worker sets the owner, and the account's deletion removes it. */
export class Ownership {
  readonly #deps: OwnershipDeps;
  #deletions = 0;

  constructor(deps: OwnershipDeps) {
    this.#deps = deps;
  }

  /**
   * Sets the owner of an object that has another or none. An object keeps its knowledge of its own driver: a call has
   * what the Worker read before, and only the record tells which is newer. An object without an owner first checks whether
   * D1 has the driver's record, which is deleted before the object: a call that was sent before a deletion and arrives after
   * it must not bring anything back.
   * @throws if there is no record
   */
  async set(owner: DriverOwner): Promise<void> {
    const { deps, machine } = this.#deps;
    if (machine.owner === null) {
      const deletions = this.#deletions;
      const revision = await claimDriverObject(deps.db, {
        driverId: owner.driverId,
        objectName: this.#deps.objectName ?? objectName(deps.config.platform.region, owner.driverId),
        since: deps.now(),
      });
      if (revision === null || deletions !== this.#deletions) throw new Error("the account is deleted");
    }
    if (machine.owner?.driverId !== owner.driverId) this.replace(owner);
  }

  /** Sets the owner without asking D1. If it is another driver, the cached tokens are dropped. */
  replace(owner: DriverOwner): void {
    const { machine, account } = this.#deps;
    if (machine.setOwner(readOwner(owner))) account.forgetOwner();
  }

  /** Begins a deletion: an owner that D1 is being asked about is no longer set. */
  noteDeletion(): void {
    this.#deletions += 1;
  }
}

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
 * The end of an object in a former region. It keeps working for its driver until the driver is gone, has unlinked or has linked
 * another object. The Worker reaches or wakes it when one of these happens; an object that could not be reached asks with its
 * hourly work.
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
