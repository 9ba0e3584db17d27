import type { DriverOwner } from "../../db/shapes/profile.ts";
import { MINUTE_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { hasTurned } from "../watch/own-turn.ts";
import type { Alarm } from "./alarm.ts";
import { objectName } from "./object-name.ts";
import type { OwnRecord } from "./own-record.ts";

const HEARTBEAT_INTERVAL_MS = MINUTE_MS;
/** How late an object may be before its watcher wakes it. */
const HEARTBEAT_GRACE_MS = 2 * MINUTE_MS;

type HeartbeatDeps = {
  deps: Pick<Deps, "watchers" | "config">;
  alarm: Alarm;
  record: OwnRecord;
  /** The object's own. */
  objectName: string | null;
};

/** Tells the object's watcher once a minute when the object wakes next, so that the watcher wakes it if it doesn't. */
export class Heartbeat {
  readonly #deps: HeartbeatDeps;
  #at: EpochMs = 0;

  constructor(deps: HeartbeatDeps) {
    this.#deps = deps;
  }

  /** When the last one was sent. Stored, so it outlives the object's memory. */
  get at(): EpochMs {
    return this.#at;
  }

  restore(at: EpochMs): void {
    this.#at = at;
  }

  /** Sends the next one however recent the last one is, because the time to wake has changed. */
  makeDue(): void {
    this.#at = 0;
  }

  /** Sends one if it is due. @returns whether it was: once a minute */
  async beat({ driverId }: DriverOwner, now: EpochMs): Promise<boolean> {
    if (!this.#isDue(driverId, now)) return false;
    this.#at = now;
    const { deps, alarm } = this.#deps;
    const nextAt = alarm.nextAt();
    if (nextAt === null) await this.end();
    else
      await deps.watchers.of(driverId)?.beat({
        driverId,
        objectName: this.#deps.objectName ?? objectName(deps.config.platform.region, driverId),
        dueAt: Math.max(nextAt, now + HEARTBEAT_INTERVAL_MS) + HEARTBEAT_GRACE_MS,
      });
    return true;
  }

  #isDue(driverId: DriverId, now: EpochMs): boolean {
    return hasTurned({ driverId, everyMs: HEARTBEAT_INTERVAL_MS }, { from: this.#at, to: now });
  }

  /** Lets the watcher stop waiting for the object. */
  async end(): Promise<void> {
    const driverId = this.#deps.record.driverId();
    if (driverId !== null) await this.#deps.deps.watchers.of(driverId)?.forget([driverId]);
  }
}
