import { claimDriverObject } from "../../db/queries/fleet/driver-objects.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import type { Deps } from "../deps.ts";
import type { Machine } from "./machine.ts";
import { objectName } from "./object-name.ts";
import type { PlatformAccount } from "./platform-account.ts";
import { readOwner } from "./read-call.ts";

type OwnershipDeps = {
  deps: Pick<Deps, "db" | "now" | "config">;
  machine: Machine;
  account: PlatformAccount;
  /** The object's own. */
  objectName: string | null;
};

/** The driver whose object it is, who comes from the Worker and ends with the account. */
export class Ownership {
  readonly #deps: OwnershipDeps;
  #deletions = 0;

  constructor(deps: OwnershipDeps) {
    this.#deps = deps;
  }

  /**
   * Sets the owner. An object without one first looks whether D1 has the driver's record, which is deleted before the
   * object: what was sent before a deletion and arrives after it must not bring anything back.
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
    this.replace(owner);
  }

  /** Sets the owner without a look at D1. If it is another driver, the cached tokens are dropped. */
  replace(owner: DriverOwner): void {
    const { machine, account } = this.#deps;
    if (machine.setOwner(readOwner(owner))) account.forgetOwner();
  }

  /** Begins a deletion: an owner that D1 is being asked about is no longer set. */
  noteDeletion(): void {
    this.#deletions += 1;
  }
}
