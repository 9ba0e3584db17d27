import { env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { watcherOf } from "../../durable/watch/watchers.ts";
import type { TestDriver } from "./harness.ts";

const WATCHERS = 16;

/** Runs a statement in the storage of the watcher that looks after a driver's object. */
function inWatcher<Row extends Record<string, SqlStorageValue>>(
  { driverId }: Pick<TestDriver, "driverId">,
  statement: string,
  ...bindings: SqlStorageValue[]
): Promise<Row[]> {
  const watcher = env.WATCH!.getByName(`watch:${watcherOf(driverId, WATCHERS)}`);
  return runInDurableObject(watcher, (_object, { storage }) =>
    storage.sql.exec<Row>(statement, ...bindings).toArray(),
  );
}

/** Lets all watchers store in D1 what drivers' objects reported. */
export async function storeReports(): Promise<void> {
  for (let number = 0; number < WATCHERS; number += 1)
    await runDurableObjectAlarm(env.WATCH!.getByName(`watch:${number}`));
}

/** The watcher's row of a driver's object: one, or none. */
export function watchedRows(driver: Pick<TestDriver, "driverId">) {
  return inWatcher<{ object_name: string; due_at: number }>(
    driver,
    `SELECT object_name, due_at FROM watched WHERE driver_id = ?`,
    driver.driverId,
  );
}

export async function setDeadline(driver: Pick<TestDriver, "driverId">, dueAt: number): Promise<void> {
  await inWatcher(driver, `UPDATE watched SET due_at = ? WHERE driver_id = ?`, dueAt, driver.driverId);
}

export async function forgetWatched(driver: Pick<TestDriver, "driverId">): Promise<void> {
  await inWatcher(driver, `DELETE FROM watched WHERE driver_id = ?`, driver.driverId);
}
