import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { OverdueObject, WatchedObject } from "../runtime/env.ts";
import { eachLimit } from "./each-limit.ts";

/** How many objects one round wakes: an invocation of the runtime may call 1,000 others. */
export const ROUND_SIZE = 800;
/** How many of them at a time. */
const AT_ONCE = 50;

/** How an object answered. */
export type Woken = { isWatched: boolean; failure: string | null };

/**
 * The objects that one watcher looks after, in its storage: one row each, of which a beat writes one. A row's instant is the
 * deadline that the object gave with its last beat.
 */
export class WatchList {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(
      `CREATE TABLE IF NOT EXISTS watched
       (driver_id TEXT PRIMARY KEY, object_name TEXT, due_at INTEGER, tried_at INTEGER, failure TEXT) WITHOUT ROWID`,
    );
  }

  beat({ driverId, objectName, dueAt }: WatchedObject): void {
    this.#sql.exec(
      `INSERT INTO watched (driver_id, object_name, due_at, tried_at) VALUES (?1, ?2, ?3, 0)
       ON CONFLICT (driver_id) DO UPDATE SET object_name = ?2, due_at = ?3, tried_at = 0, failure = NULL`,
      driverId,
      objectName,
      dueAt,
    );
  }

  forget(driverIds: readonly DriverId[]): void {
    for (const id of driverIds) this.#sql.exec(`DELETE FROM watched WHERE driver_id = ?`, id);
  }

  list(): DriverId[] {
    return this.#sql
      .exec<{ id: DriverId }>(`SELECT driver_id AS id FROM watched`)
      .toArray()
      .map(({ id }) => id);
  }

  /**
   * Wakes the overdue objects. One that can't be woken stays on the list and holds up no other.
   * @param wake resolves to what it threw, if it did, and to whether the object is to be watched over here any longer
   * @returns those that are overdue afterwards, the longest overdue first
   */
  async round(
    given: readonly WatchedObject[],
    { now, wake }: { now: EpochMs; wake: (object: OverdueObject) => Promise<Woken> },
  ): Promise<OverdueObject[]> {
    for (const object of given) this.#takeUp(object);
    const due = this.#overdue(now, "tried_at, due_at");
    for (const { driverId } of due)
      this.#sql.exec(`UPDATE watched SET tried_at = ? WHERE driver_id = ?`, now, driverId);
    await eachLimit(due, AT_ONCE, async (object) => {
      const { isWatched, failure } = await wake(object);
      const { driverId, dueAt } = object;
      // Unless it has beaten meanwhile: then it is watched over here.
      if (!isWatched)
        this.#sql.exec(`DELETE FROM watched WHERE driver_id = ? AND due_at = ?`, driverId, dueAt);
      else if (failure !== object.failure)
        this.#sql.exec(
          `UPDATE watched SET failure = ? WHERE driver_id = ? AND due_at = ?`,
          failure,
          driverId,
          dueAt,
        );
    });
    return this.#overdue(now, "due_at");
  }

  #takeUp({ driverId, objectName, dueAt }: WatchedObject): void {
    this.#sql.exec(
      `INSERT INTO watched (driver_id, object_name, due_at, tried_at) VALUES (?, ?, ?, 0)
       ON CONFLICT (driver_id) DO NOTHING`,
      driverId,
      objectName,
      dueAt,
    );
  }

  #overdue(now: EpochMs, order: "tried_at, due_at" | "due_at"): OverdueObject[] {
    return this.#sql
      .exec<OverdueObject>(
        `SELECT driver_id AS driverId, object_name AS objectName, due_at AS dueAt, failure FROM watched
         WHERE due_at < ? ORDER BY ${order} LIMIT ?`,
        now,
        ROUND_SIZE,
      )
      .toArray();
  }
}
