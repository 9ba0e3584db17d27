import { DurableObject } from "cloudflare:workers";
import { openDb } from "../../db/client.ts";
import { saveFleetReports } from "../../db/queries/fleet/reports.ts";
import type { FleetReport } from "../../db/shapes/fleet.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import { describeErrorsOf } from "../driver/rpc-errors.ts";
import { parseConfig } from "../runtime/config.ts";
import { describeError, nameCauses } from "../runtime/describe-error.ts";
import type { Env } from "../runtime/env.ts";
import { log } from "../runtime/log.ts";
import type { OverdueObject, WatchedObject, WatchRpc } from "../runtime/watch-rpc.ts";
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

  /** Never throws: what could not be stored waits for the next round. One at a time, since a report that is stored twice counts twice. */
  #flush(): Promise<void> {
    const db = openDb(this.env.DB);
    this.#flushing ??= this.#reports
      .flush((reports) => saveFleetReports(db, reports))
      .catch((error: unknown) => log("warn", "fleet.reports.failed", describeError(error)))
      .finally(() => {
        this.#flushing = null;
      });
    return this.#flushing;
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

/** How many reports go to D1 in one transaction. */
const BATCH_SIZE = 500;

/** How long reports wait for others at most. */
const FLUSH_MS = 20_000;

/** When one of so many watchers sends its reports next: each at a moment of its own, since a deployment reports to all at once. */
export function nextFlushAt(
  now: EpochMs,
  { number, watchers }: { number: number; watchers: number },
): EpochMs {
  const ownMs = Math.floor((FLUSH_MS * number) / watchers);
  return ownMs + FLUSH_MS * (1 + Math.floor((now - ownMs) / FLUSH_MS));
}

/** Reports of drivers' objects that D1 does not have yet, oldest first, in the storage of the object that watches over them. */
export class ReportQueue {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS reports (id INTEGER PRIMARY KEY AUTOINCREMENT, driver_id TEXT, value TEXT)`,
    );
  }

  get isEmpty(): boolean {
    return this.#sql.exec(`SELECT 1 FROM reports LIMIT 1`).toArray().length === 0;
  }

  add(report: FleetReport): void {
    const value = JSON.stringify(report);
    this.#sql.exec(`INSERT INTO reports (driver_id, value) VALUES (?, ?)`, report.driverId, value);
  }

  forget(driverIds: readonly string[]): void {
    for (const id of driverIds) this.#sql.exec(`DELETE FROM reports WHERE driver_id = ?`, id);
  }

  /**
   * Sends all that waits now, and deletes each batch that was sent; the rest waits on.
   * @throws what `send` throws
   */
  async flush(send: (reports: readonly FleetReport[]) => Promise<void>): Promise<void> {
    for (let left = this.#next(); left.length > 0; left = this.#next()) {
      await send(left.map(({ value }) => JSON.parse(value) as FleetReport));
      for (const { id } of left) this.#sql.exec(`DELETE FROM reports WHERE id = ?`, id);
    }
  }

  #next(): { id: number; value: string }[] {
    return this.#sql
      .exec<{ id: number; value: string }>(`SELECT id, value FROM reports ORDER BY id LIMIT ?`, BATCH_SIZE)
      .toArray();
  }
}
