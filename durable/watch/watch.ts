import { DurableObject } from "cloudflare:workers";
import { openDb } from "../../db/client.ts";
import { saveFleetReports } from "../../db/queries/fleet/reports.ts";
import type { FleetReport } from "../../db/shapes/fleet.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import { describeErrorsOf, describeError, nameCauses } from "../runtime/describe-error.ts";
import { parseConfig } from "../runtime/config.ts";
import type { Env, OverdueObject, WatchedObject, WatchRpc } from "../runtime/env.ts";
import { log } from "../runtime/log.ts";
import { nextFlushAt, ReportQueue } from "./report-queue.ts";
import { WatchList, type Woken } from "./watch-list.ts";
import { watcherNumber, watcherOf } from "./watchers.ts";

/**
 * Watches over a part of the drivers' objects, each of which says by when it will have woken again: the runtime may lose an
 * alarm. The Worker's cron asks it for a round every minute. It also takes what they counted to D1, many in one transaction.
 */
export class Watch extends DurableObject<Env> implements WatchRpc {
  static {
    describeErrorsOf(this.prototype);
  }

  readonly #list: WatchList;
  readonly #reports: ReportQueue;
  #flushing: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#list = new WatchList(ctx.storage.sql);
    this.#reports = new ReportQueue(ctx.storage.sql);
  }

  async beat(watched: WatchedObject): Promise<void> {
    this.#list.beat(watched);
  }

  async report(report: FleetReport): Promise<void> {
    const isFirst = this.#reports.isEmpty;
    this.#reports.add(report);
    if (!isFirst) return;
    const { watchers } = parseConfig(this.env);
    const number = watcherNumber(this.ctx.id.name) ?? 0;
    await this.ctx.storage.setAlarm(nextFlushAt(Date.now(), { number, watchers }));
  }

  async forget(driverIds: readonly DriverId[]): Promise<void> {
    this.#list.forget(driverIds);
    this.#reports.forget(driverIds);
  }

  override alarm(): Promise<void> {
    return this.#flush();
  }

  async list(): Promise<DriverId[]> {
    return this.#list.list();
  }

  async round(given: readonly WatchedObject[]): Promise<OverdueObject[]> {
    // The alarm may be lost, or may have found D1 failing.
    if (!this.#reports.isEmpty) await this.#flush();
    const { watchers } = parseConfig(this.env);
    const number = watcherNumber(this.ctx.id.name);
    // After a change of their count, another one hears of the object from now on.
    const isOwn = (driverId: DriverId) => number === watcherOf(driverId, watchers);
    return this.#list.round(given, {
      now: Date.now(),
      wake: async (object) => {
        const woken = await this.#wake(object);
        return { ...woken, isWatched: woken.isWatched && (isOwn(object.driverId) || woken.failure !== null) };
      },
    });
  }

  /**
   * Never throws: what could not be stored waits for the next round. One at a time, since a report that is stored twice
   * counts twice.
   */
  #flush(): Promise<void> {
    this.#flushing ??= this.#store().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #store(): Promise<void> {
    const db = openDb(this.env.DB);
    try {
      const leftOut = await this.#reports.flush((reports) => saveFleetReports(db, reports));
      if (leftOut > 0) log("error", "fleet.reports.unreadable", { reports: leftOut });
    } catch (error) {
      log("warn", "fleet.reports.failed", describeError(error));
    }
  }

  /** Never throws. An object that could not be woken is tried again. */
  async #wake({ driverId, objectName, failure: known }: OverdueObject): Promise<Woken> {
    try {
      return { isWatched: await this.env.DRIVER.getByName(objectName).wake(), failure: null };
    } catch (error) {
      const failure = nameCauses(error);
      // Said once, not each minute: the fleet lists it for as long as it lasts.
      if (failure !== known) log("error", "watchdog.poke.failed", { driverId, ...describeError(error) });
      return { isWatched: true, failure };
    }
  }
}
