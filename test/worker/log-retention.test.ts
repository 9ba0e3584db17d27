import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import { Store } from "../../durable/driver/storage/store.ts";
import { createActiveDriver, driverObject, resetPlatform, runAlarm, type TestDriver } from "./harness.ts";

const NOW = 1_795_000_000_000;
const TABLES = ["events", "attempts", "unreadable_rows", "announcement_pushes"];

beforeEach(() => resetPlatform());

function inStorage<Result>(
  driver: TestDriver,
  work: (storage: DurableObjectStorage) => Result,
): Promise<Result> {
  return runInDurableObject(driverObject(driver), (_object, { storage }) => work(storage));
}

it("keeps what an object logged for thirty days to the millisecond", async () => {
  const driver = await createActiveDriver();
  const left = await inStorage(driver, (storage) => {
    const { sql } = storage;
    for (const table of TABLES) sql.exec(`DELETE FROM ${table}`);
    for (const [key, at] of [
      ["kept", NOW - 30 * DAY_MS],
      ["gone", NOW - 30 * DAY_MS - 1],
    ] as const) {
      const ended = JSON.stringify({ offer: { endsAt: at } });
      sql.exec(`INSERT INTO events (at, value) VALUES (?, ?)`, at, key);
      sql.exec(`INSERT INTO attempts (attempt_id, value, open) VALUES (?, ?, 0)`, key, ended);
      sql.exec(`INSERT INTO unreadable_rows VALUES ('events', ?, 0, '', '', ?)`, key, at);
      sql.exec(`INSERT INTO announcement_pushes VALUES (?, 1, 1, 0, ?)`, key, at);
    }
    new Store(storage, { log: () => undefined, now: () => NOW, objectName: null }).prune(NOW);
    return [
      `SELECT value AS id FROM events`,
      `SELECT attempt_id AS id FROM attempts`,
      `SELECT key AS id FROM unreadable_rows`,
      `SELECT id FROM announcement_pushes`,
    ].map((query) => sql.exec(query).toArray());
  });
  expect(left).toEqual(TABLES.map(() => [{ id: "kept" }]));
});

it("prunes an object's log by itself, an hour after the last time", async () => {
  const driver = await createActiveDriver();
  const old = Date.now() - 30 * DAY_MS - HOUR_MS;
  const olds = () =>
    inStorage(driver, ({ sql }) => sql.exec(`SELECT 1 FROM events WHERE at <= ?`, old).toArray().length);
  await inStorage(driver, ({ sql }) =>
    sql.exec(`INSERT INTO events (at, value, version) SELECT ?, value, version FROM events LIMIT 1`, old),
  );
  expect(await olds()).toBe(1);
  await inStorage(driver, (storage) => {
    const { state } = new Store(storage, { log: () => undefined, now: Date.now, objectName: null });
    const intervals = state.intervals();
    if (intervals) state.write("intervals", { ...intervals, prunedAt: Date.now() - HOUR_MS });
  });
  await evictDurableObject(driverObject(driver));
  await runAlarm(driver);
  await expect.poll(olds).toBe(0);
});
