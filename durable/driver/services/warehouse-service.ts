import { markListedWarehouses } from "../../../db/queries/work/filters.ts";
import { describeError } from "../../runtime/describe-error.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { DAY_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import type { Deps } from "../../deps.ts";
import type { Alarm } from "../alarm.ts";
import type { EventLoop } from "../event-loop.ts";
import type { Machine } from "../machine.ts";
import type { Store } from "../storage/store.ts";

/** How old the list may be when the driver looks at it: one look may ask more than once. */
const VIEWED_MAX_AGE_MS: DurationMs = 10_000;
/** How long a driver who looks waits for the platform. Later ones are there for the next look. */
const VIEWED_WAIT_MS: DurationMs = 1_500;
/** How long to wait after a failed fetch. */
const FAILURE_TTL_MS = MINUTE_MS;

type WarehouseServiceDeps = { deps: Deps; store: Store; machine: Machine; loop: EventLoop; alarm: Alarm };

/** Reads the driver's warehouses again now and then, since the platform opens and closes them. */
export class WarehouseService {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #machine: Machine;
  readonly #loop: EventLoop;
  readonly #alarm: Alarm;
  #pendingFetch: Promise<void> | null = null;
  #failedAt: EpochMs | null = null;

  constructor({ deps, store, machine, loop, alarm }: WarehouseServiceDeps) {
    this.#deps = deps;
    this.#store = store;
    this.#machine = machine;
    this.#loop = loop;
    this.#alarm = alarm;
  }

  /** The warehouses, read again if they are some seconds old and the platform answers soon. */
  async fetch(): Promise<readonly Warehouse[]> {
    const timer = new AbortController();
    await Promise.race([this.refresh(VIEWED_MAX_AGE_MS), this.#deps.sleep(VIEWED_WAIT_MS, timer.signal)]);
    timer.abort();
    return this.#machine.state.warehouses;
  }

  /** Reads the warehouses again if they are older than a day, or than `maxAgeMs`. Never throws. */
  async refresh(maxAgeMs: DurationMs = DAY_MS): Promise<void> {
    const now = this.#deps.now();
    const readAt = this.#store.state.warehousesReadAt();
    const isFresh = readAt !== null && readAt <= now && now - readAt < maxAgeMs;
    const hasJustFailed = this.#failedAt !== null && now - this.#failedAt < FAILURE_TTL_MS;
    if (this.#machine.state.link.status !== "linked" || isFresh || hasJustFailed) return;
    this.#pendingFetch ??= this.#fetch().finally(() => {
      this.#pendingFetch = null;
    });
    await this.#pendingFetch;
  }

  async #fetch(): Promise<void> {
    const { now, platform } = this.#deps;
    const { link } = this.#machine.state;
    const result = await this.#loop
      .request((accessToken) => platform.listWarehouses({ accessToken }))
      .catch(() => null);
    // The account may have been unlinked, or another one linked, in the meantime.
    if (this.#machine.state.link !== link) return;
    if (result?.kind !== "warehouses") {
      this.#failedAt = now();
      return;
    }
    this.#failedAt = null;
    this.#store.state.write("warehousesReadAt", now());
    const { warehouses, skipped } = result;
    this.#loop.dispatch({ kind: "warehouses_read", warehouses, isComplete: skipped === 0 });
    // One that opened may have hours now, and an object that has just woken does not know yet that a day is full.
    await this.#alarm.set();
    await this.#noteListed();
  }

  /** Tells D1, where the record says whether filters can take anything. A failed write is repeated after the next look. */
  async #noteListed(): Promise<void> {
    const { db, log } = this.#deps;
    const driverId = this.#machine.owner?.driverId;
    const listed = this.#machine.state.warehouses.map((warehouse) => warehouse.warehouseId);
    if (driverId === undefined || listed.length === 0) return;
    await markListedWarehouses(db, driverId, listed).catch((error: unknown) =>
      log("warn", "driver.warehouses.unmarked", { driverId, ...describeError(error) }),
    );
  }
}
