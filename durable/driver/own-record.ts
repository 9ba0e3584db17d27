import {
  loadDriver,
  loadRevision,
  toDriverOwner,
  type DriverRecord,
} from "../../db/queries/accounts/drivers.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { errorName } from "../runtime/describe-error.ts";
import type { Alarm } from "./alarm.ts";
import type { EventLoop } from "./event-loop.ts";
import type { Machine } from "./machine.ts";
import { driverOfObject } from "./object-name.ts";

/** The object can't respond to anything while it waits for a record that it needs. */
const FETCH_TIMEOUT_MS = 5_000;

type OwnRecordDeps = {
  deps: Pick<Deps, "db" | "log" | "sleep">;
  machine: Machine;
  loop: EventLoop;
  alarm: Alarm;
  /** The object's own. */
  objectName: string | null;
};

/** The driver's record in D1, which the object loads itself if no call delivered it. */
export class OwnRecord {
  readonly #parts: OwnRecordDeps;

  constructor(parts: OwnRecordDeps) {
    this.#parts = parts;
  }

  /** The driver's id, which the object's name has even if no owner is set. */
  driverId(): DriverId | null {
    return this.#parts.machine.owner?.driverId ?? this.#namedDriver();
  }

  #namedDriver(): DriverId | null {
    const { objectName } = this.#parts;
    return objectName === null ? null : driverOfObject(objectName);
  }

  /** Whether D1 has a record of the driver. @throws if D1 doesn't answer */
  async isKnown(): Promise<boolean> {
    const driverId = this.driverId();
    return driverId !== null && (await loadRevision(this.#parts.deps.db, driverId)) !== null;
  }

  /** Loads the profile if D1 has a newer one, because an update from the Worker may have been lost. */
  async sync(): Promise<void> {
    const { deps, machine, loop, alarm } = this.#parts;
    const { owner } = machine;
    if (!owner) return;
    const revision = await loadRevision(deps.db, owner.driverId);
    if (revision === null || revision <= (machine.state.profile?.revision ?? -1)) return;
    const record = await loadDriver(deps.db, owner.driverId);
    // Meanwhile the Worker may have sent a newer one, or the account may have been deleted.
    const isLate = record === null || record.profile.revision <= (machine.state.profile?.revision ?? -1);
    if (isLate || machine.owner?.driverId !== owner.driverId) return;
    machine.setOwner(toDriverOwner(record));
    loop.dispatch({ kind: "profile_changed", profile: record.profile });
    await alarm.set();
  }

  /** Loads the record of the driver in the object's name; null if there is none or D1 fails. Never throws. */
  async fetch(): Promise<DriverRecord | null> {
    const { db, log, sleep } = this.#parts.deps;
    const driverId = this.#namedDriver();
    if (!driverId) return null;
    try {
      return await Promise.race([loadDriver(db, driverId), sleep(FETCH_TIMEOUT_MS).then(() => null)]);
    } catch (error) {
      log("warn", "driver.record.failed", { driverId, error: errorName(error) });
      return null;
    }
  }
}
