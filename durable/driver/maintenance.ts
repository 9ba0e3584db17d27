import { loadDriver, loadRevision, toDriverOwner } from "../../db/queries/drivers.ts";
import { saveHeartbeat, deleteHeartbeat } from "../../db/queries/heartbeats.ts";
import type { Deps } from "../deps.ts";
import type { Profile, DriverOwner } from "../../db/shapes/profile.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { errorName } from "../runtime/log.ts";
import { objectName } from "./object-name.ts";
import { flushOutbox } from "./outbox.ts";
import type { Store } from "./storage/store.ts";

const HEARTBEAT_INTERVAL_MS = MINUTE_MS;
/** Later than this after the promised instant, the watchdog looks after the object. */
const HEARTBEAT_GRACE_MS = 2 * MINUTE_MS;
const PRUNE_INTERVAL_MS = 60 * MINUTE_MS;

/** What housekeeping asks of the object. */
export type MaintenanceHost = {
  /** When the object wakes next; null where it waits for nothing. */
  nextWakeAt: () => EpochMs | null;
  /** The revision of the copy that the object has. */
  revision: () => number;
  /** Takes a newer copy. */
  applyProfile: (owner: DriverOwner, profile: Profile) => Promise<void>;
};

/** What may wait: copies to D1, texts, the heartbeat. It runs beside the capture, never before it. */
export class Maintenance {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #host: MaintenanceHost;
  #running: Promise<void> | null = null;
  #heartbeatAt: EpochMs = 0;
  #prunedAt: EpochMs = 0;

  constructor(host: MaintenanceHost, { deps, store }: { deps: Deps; store: Store }) {
    this.#host = host;
    this.#deps = deps;
    this.#store = store;
  }

  /** The next round beats, however short a while ago the last did: what was promised has changed. */
  heartbeatSoon(): void {
    this.#heartbeatAt = 0;
  }

  /** One round, or the one under way. Never throws. */
  run(owner: DriverOwner): Promise<void> {
    this.#running ??= this.#runOnce(owner)
      .catch((error: unknown) => {
        const facts = { driverId: owner.driverId, error: errorName(error) };
        this.#deps.log("warn", "driver.housekeeping.failed", facts);
      })
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /** Waits for the round under way. */
  async drain(): Promise<void> {
    await this.#running;
  }

  /** Sends what waits, now. */
  flush(owner: DriverOwner): Promise<void> {
    const { db, sms, push, log, now } = this.#deps;
    return flushOutbox(owner, { store: this.#store, db, sms, push, log, now });
  }

  async #runOnce(owner: DriverOwner): Promise<void> {
    const now = this.#deps.now();
    await this.flush(owner);
    if (now - this.#prunedAt >= PRUNE_INTERVAL_MS) {
      this.#prunedAt = now;
      this.#store.prune(now);
    }
    if (now - this.#heartbeatAt < HEARTBEAT_INTERVAL_MS) return;
    this.#heartbeatAt = now;
    await this.#sendHeartbeat(owner, now);
    await this.#syncProfile(owner);
  }

  async #sendHeartbeat(owner: DriverOwner, now: EpochMs): Promise<void> {
    const { db, config } = this.#deps;
    const nextAt = this.#host.nextWakeAt();
    if (nextAt === null) return deleteHeartbeat(db, owner.driverId);
    await saveHeartbeat(db, owner.driverId, {
      objectName: objectName(config.platform.region, owner.driverId),
      dueAt: Math.max(nextAt, now + HEARTBEAT_INTERVAL_MS) + HEARTBEAT_GRACE_MS,
    });
  }

  /** A copy that was lost on its way from D1 is fetched. */
  async #syncProfile(owner: DriverOwner): Promise<void> {
    const { db } = this.#deps;
    const revision = await loadRevision(db, owner.driverId);
    if (revision === null || revision <= this.#host.revision()) return;
    const record = await loadDriver(db, owner.driverId);
    if (record) await this.#host.applyProfile(toDriverOwner(record), record.profile);
  }
}
