import { openDb, type Db } from "../../../db/client.ts";
import {
  createDriver,
  loadDriver,
  toDriverOwner,
  updateDriver,
} from "../../../db/queries/accounts/drivers.ts";
import { deleteAccount } from "../../../db/queries/accounts/account-changes.ts";
import { eraseDriverData } from "../../../db/queries/accounts/account-deletion.ts";
import { saveFiltersStatements } from "../../../db/queries/work/filters.ts";
import type { Filters } from "../../../db/shapes/work/filters.ts";
import type { Profile, ServiceChange } from "../../../db/shapes/profile.ts";
import { driverId as driverIdShape, MINUTE_MS, type DriverId } from "../../../db/shapes/units.ts";
import * as z from "zod/mini";
import type { SimulatedD1 } from "./d1.ts";
import type { ObjectHost } from "./host.ts";
import type { Timeline } from "../timeline.ts";

/** A profile that the Worker told the object, or tried to. */
export type ToldProfile = {
  profile: Profile;
  sentAt: number;
  deliveredAt: number | null;
  returnedAt: number | null;
};
/** A call after which nothing may be taken. */
export type Farewell = { kind: "unlink" | "delete"; deliveredAt: number | null; returnedAt: number | null };

type WorkerSideDeps = { timeline: Timeline; d1: SimulatedD1; host: ObjectHost; driverId: string };

/** The Worker's work for the driver: it writes the record, then tells the object. */
export class WorkerSide {
  readonly told: ToldProfile[] = [];
  readonly farewells: Farewell[] = [];
  readonly driverId: DriverId;
  readonly #deps: WorkerSideDeps;
  readonly #db: Db;
  #saves = 0;

  constructor(deps: WorkerSideDeps) {
    this.#deps = deps;
    this.#db = openDb(deps.d1.bind(async (work) => work()));
    this.driverId = z.parse(driverIdShape, deps.driverId);
  }

  async register(phoneNumber: string, timeZone: string): Promise<void> {
    const driver = {
      id: this.driverId,
      phoneNumber,
      name: "Ana",
      language: "en",
      referral: "jornada",
      humanTimezone: timeZone,
      createdAt: this.#deps.timeline.now,
    } as const;
    await createDriver(this.#db, driver, "invitation");
  }

  /** `delayMs`: how long the message to the object is held up. */
  async update(change: Parameters<typeof updateDriver>[2], delayMs = 0): Promise<void> {
    await updateDriver(this.#db, this.driverId, change);
    await this.tell([], delayMs);
  }

  async saveFilters(filters: Filters): Promise<void> {
    const record = await loadDriver(this.#db, this.driverId);
    if (!record) return;
    this.#saves += 1;
    const saveId = `save-${this.#saves}`;
    const { filtersVersion: version } = record.profile;
    const save = { filters, version, saveId, listed: null };
    await this.#db.batch(saveFiltersStatements(this.#db, this.driverId, save));
    await this.tell();
  }

  async addService(durationMs: number, source: string): Promise<void> {
    const { d1, timeline } = this.#deps;
    d1.all(
      `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`,
      source,
      this.driverId,
      durationMs,
      timeline.now,
    );
    d1.all(`UPDATE users SET revision = revision + 1 WHERE id = ?`, this.driverId);
    const kind = durationMs > 0 ? "paid" : "refunded";
    await this.tell([{ source, kind, money: null, changedMs: durationMs }]);
  }

  /** Sends the record to the object; if that fails, the object loads it itself later. */
  async tell(changes: readonly ServiceChange[] = [], delayMs = 0): Promise<void> {
    const { host, timeline } = this.#deps;
    const record = await loadDriver(this.#db, this.driverId);
    if (!record) return;
    if (delayMs > 0) await timeline.pause(delayMs);
    const told: ToldProfile = {
      profile: record.profile,
      sentAt: timeline.now,
      deliveredAt: null,
      returnedAt: null,
    };
    this.told.push(told);
    try {
      await host.call(
        (driver) => driver.configure(toDriverOwner(record), record.profile, changes),
        () => {
          told.deliveredAt = timeline.now;
        },
      );
      told.returnedAt = timeline.now;
    } catch {
      void this.#wakeLater();
    }
  }

  /** As the watcher does, which the Worker tells of a record that did not arrive: it wakes the object until it answers. */
  async #wakeLater(): Promise<void> {
    const { host, timeline } = this.#deps;
    for (let tries = 0; tries < 5; tries += 1) {
      await timeline.pause(MINUTE_MS);
      try {
        await host.call((driver) => driver.wake());
        return;
      } catch {
        // The next round tries again.
      }
    }
  }

  async owner() {
    const record = await loadDriver(this.#db, this.driverId);
    return record && toDriverOwner(record);
  }

  async unlink(): Promise<void> {
    await this.#leave("unlink", (driver) => driver.unlink());
  }

  async deleteAccount(): Promise<void> {
    // Data that another request read before may arrive at any moment.
    void this.tell([], 1 + (this.#deps.timeline.now % 7_000));
    await this.#leave(
      "delete",
      (driver) => driver.deleteAccount(),
      () => deleteAccount(this.#db, this.driverId, this.#deps.timeline.now),
    );
    await eraseDriverData(this.#db, this.driverId, { customerId: null, now: this.#deps.timeline.now });
  }

  /** Once a minute: wakes the object if it missed its heartbeat. */
  watch(): void {
    const { d1, timeline, host } = this.#deps;
    const [row] = d1.all(`SELECT due_at AS dueAt FROM heartbeats WHERE driver_id = ?`, this.driverId);
    if (row && Number(row["dueAt"]) < timeline.now) host.call((driver) => driver.wake()).catch(() => {});
    const due = row ? Number(row["dueAt"]) : 0;
    timeline.at(Math.max(due, timeline.now + 60_000), () => this.watch());
  }

  async #leave(
    kind: Farewell["kind"],
    call: Parameters<ObjectHost["call"]>[0],
    before: () => Promise<unknown> = async () => {},
  ): Promise<void> {
    const { host, timeline } = this.#deps;
    if (!(await loadDriver(this.#db, this.driverId))) return;
    await before();
    const farewell: Farewell = { kind, deliveredAt: null, returnedAt: null };
    this.farewells.push(farewell);
    // The page offers to try again.
    for (let tries = 0; tries < 5; tries += 1) {
      try {
        await host.call(call, () => {
          farewell.deliveredAt ??= timeline.now;
        });
        farewell.returnedAt = timeline.now;
        return;
      } catch {
        // It may have reached an object that died before it could store it.
        farewell.deliveredAt = null;
        await timeline.pause(2_000);
      }
    }
  }
}
