import { loadDriver, loadRevision, toDriverOwner } from "../../db/queries/accounts/drivers.ts";
import { loadLinkedObject } from "../../db/queries/fleet/platform-accounts.ts";
import { saveHeartbeat, deleteHeartbeat } from "../../db/queries/fleet/heartbeats.ts";
import type { Deps } from "../deps.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import { MINUTE_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import { describeError } from "../runtime/describe-error.ts";
import { objectName } from "./object-name.ts";
import type { Alarm } from "./alarm.ts";
import type { EventLoop } from "./event-loop.ts";
import type { FleetReporter } from "./fleet-reporter.ts";
import type { Machine } from "./machine.ts";
import { endLeftSessions, flushOutbox, type OutboxDeps } from "./outbox.ts";
import type { PlatformAccount } from "./platform-account.ts";
import type { Store } from "./storage/store.ts";
import { closeTextDay } from "./notify/text-queue.ts";
import type { WarehouseService } from "./services/warehouse-service.ts";

const HEARTBEAT_INTERVAL_MS = MINUTE_MS;
/** How late an object may be before the watchdog wakes it. */
const HEARTBEAT_GRACE_MS = 2 * MINUTE_MS;
const PRUNE_INTERVAL_MS = 60 * MINUTE_MS;

type MaintenanceDeps = {
  deps: Deps;
  store: Store;
  machine: Machine;
  account: PlatformAccount;
  loop: EventLoop;
  alarm: Alarm;
  warehouses: WarehouseService;
  fleet: FleetReporter;
  /** The object's own. */
  objectName: string | null;
  /** Erases the object, and ends its session on the platform. */
  erase: () => Promise<void>;
  /** Keeps the object alive for work that outlives the request. */
  waitUntil: (work: Promise<void>) => void;
};

/** Work that can wait: copies to D1, notifications, pruning, the heartbeat. Runs in the background and never delays polls or accepts. */
export class Maintenance {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #machine: Machine;
  readonly #account: PlatformAccount;
  readonly #loop: EventLoop;
  readonly #alarm: Alarm;
  readonly #warehouses: WarehouseService;
  readonly #fleet: FleetReporter;
  readonly #waitUntil: (work: Promise<void>) => void;
  readonly #objectName: string | null;
  readonly #erase: () => Promise<void>;
  readonly #sending = new Map<number, Promise<void>>();
  #running: Promise<void> | null = null;
  #isDueAgain = false;
  #heartbeatAt: EpochMs = 0;
  #prunedAt: EpochMs = 0;

  constructor({
    deps,
    store,
    machine,
    account,
    loop,
    alarm,
    warehouses,
    fleet,
    waitUntil,
    objectName,
    erase,
  }: MaintenanceDeps) {
    this.#objectName = objectName;
    this.#erase = erase;
    this.#deps = deps;
    this.#store = store;
    this.#machine = machine;
    this.#account = account;
    this.#loop = loop;
    this.#alarm = alarm;
    this.#warehouses = warehouses;
    this.#fleet = fleet;
    this.#waitUntil = waitUntil;
  }

  /** Starts a run, after the one in progress if there is one: it may have passed what is due now. */
  start(): void {
    const { owner } = this.#machine;
    if (!owner) return;
    this.#fleet.keep(this.#deps.now(), this.#alarm.nextAt());
    this.#isDueAgain = this.#running !== null;
    this.#waitUntil(this.#runOrLog(owner));
  }

  /** Starts a run that sends a heartbeat however recent the last one is, because the next wake time has changed. */
  startWithHeartbeat(): void {
    this.#heartbeatAt = 0;
    this.start();
  }

  /** Waits for the run in progress. */
  async drain(): Promise<void> {
    await this.#running;
  }

  #runOrLog(owner: DriverOwner): Promise<void> {
    this.#running ??= this.#runOnce(owner)
      .catch((error: unknown) => {
        const facts = { driverId: owner.driverId, ...describeError(error) };
        this.#deps.log("warn", "driver.maintenance.failed", facts);
      })
      .finally(() => {
        this.#running = null;
        if (this.#isDueAgain) this.start();
      });
    return this.#running;
  }

  /** Sends the due outbox rows now. */
  async flush(): Promise<void> {
    const { owner } = this.#machine;
    if (owner) await flushOutbox(owner, this.#outboxDeps());
  }

  /** Starts a run, and waits for what is being sent, but no longer than that. */
  async sendFor(waitMs: DurationMs): Promise<void> {
    this.start();
    const timer = new AbortController();
    const sent = this.flush().then(() => Promise.allSettled(this.#sending.values()));
    await Promise.race([sent, this.#deps.sleep(waitMs, timer.signal)]);
    timer.abort();
  }

  /** Tries once to end the platform sessions that are left to be ended, due or not. */
  async endSessions(): Promise<void> {
    const { owner } = this.#machine;
    if (owner) await endLeftSessions(owner, this.#outboxDeps());
  }

  #outboxDeps(): OutboxDeps {
    return {
      ...this.#deps,
      store: this.#store,
      sending: this.#sending,
      waitsUntil: () => this.#account.waitsUntil(),
      noteRefusal: (result) => this.#loop.noteRefusal(result),
    };
  }

  async #runOnce(owner: DriverOwner): Promise<void> {
    const now = this.#deps.now();
    closeTextDay({ owner, store: this.#store, config: this.#deps.config, now });
    await this.flush();
    if (now - this.#prunedAt >= PRUNE_INTERVAL_MS) {
      this.#prunedAt = now;
      this.#store.prune(now);
    }
    await this.#fleet.report(owner, this.#machine.state, now);
    await this.#deps.drift.report();
    if (now - this.#heartbeatAt < HEARTBEAT_INTERVAL_MS) return;
    this.#heartbeatAt = now;
    if (await this.#isLeftBehind(owner)) {
      this.#deps.log("warn", "driver.left.behind", { driverId: owner.driverId });
      // Not within the run, which it waits for.
      this.#waitUntil(this.#erase());
      return;
    }
    await this.#sendHeartbeat(owner, now);
    await this.syncProfile();
    // Not part of the run: a platform that is slow to answer must not hold back the next texts.
    if (this.#machine.state.profile?.switchedOn) this.#waitUntil(this.#warehouses.refresh());
  }

  /**
   * Whether the object stands in a region that is no longer the one of new objects, and its driver is gone, has unlinked or has
   * linked another object since: whoever did that spoke to the object of today.
   */
  async #isLeftBehind({ driverId }: DriverOwner): Promise<boolean> {
    const { config, db } = this.#deps;
    const today = objectName(config.platform.region, driverId);
    if (this.#objectName === null || this.#objectName === today) return false;
    const found = await loadLinkedObject(db, driverId);
    return !found?.isLinked || (found.objectName !== null && found.objectName !== this.#objectName);
  }

  async #sendHeartbeat(owner: DriverOwner, now: EpochMs): Promise<void> {
    const { db, config } = this.#deps;
    const nextAt = this.#alarm.nextAt();
    if (nextAt === null) return deleteHeartbeat(db, owner.driverId);
    await saveHeartbeat(db, owner.driverId, {
      objectName: this.#objectName ?? objectName(config.platform.region, owner.driverId),
      dueAt: Math.max(nextAt, now + HEARTBEAT_INTERVAL_MS) + HEARTBEAT_GRACE_MS,
    });
  }

  /** Loads the profile if D1 has a newer one, because an update from the Worker may have been lost. */
  async syncProfile(): Promise<void> {
    const { db } = this.#deps;
    const { owner } = this.#machine;
    if (!owner) return;
    const revision = await loadRevision(db, owner.driverId);
    if (revision === null || revision <= (this.#machine.state.profile?.revision ?? -1)) return;
    const record = await loadDriver(db, owner.driverId);
    if (!record) return;
    this.#machine.setOwner(toDriverOwner(record));
    this.#loop.dispatch({ kind: "profile_changed", profile: record.profile });
    await this.#alarm.set();
  }
}
