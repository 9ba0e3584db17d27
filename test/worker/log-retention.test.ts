import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import { Store } from "../../durable/driver/storage/store.ts";
import { EventTable } from "../../durable/driver/storage/tables/events.ts";
import { UnreadableRows } from "../../durable/driver/storage/tables/unreadable-rows.ts";
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
    sql.exec(
      `INSERT INTO events (seq, at, value, version) SELECT min(seq) - 1, ?, value, version FROM events`,
      old,
    ),
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

/** Works with the log, and counts the rows of the storage that this reads. */
function countingRows<Result>(sql: SqlStorage, work: (events: EventTable) => Result) {
  let rowsRead = 0;
  const counting = new Proxy(sql, {
    get: (target, name) =>
      name !== "exec"
        ? Reflect.get(target, name)
        : (query: string, ...bindings: SqlStorageValue[]) => {
            const rows = target.exec(query, ...bindings);
            const all = rows.toArray();
            rowsRead += rows.rowsRead;
            return { toArray: () => all };
          },
  });
  const nothing = new UnreadableRows(sql, { log: () => undefined, now: () => NOW, objectName: null });
  const result = work(new EventTable(counting, nothing));
  return { result, rowsRead };
}

it("prunes the log without reading what it keeps", async () => {
  const driver = await createActiveDriver();
  const found = await inStorage(driver, ({ sql }) => {
    sql.exec(`DELETE FROM events`);
    sql.exec(
      `WITH RECURSIVE hours (hour) AS (SELECT 0 UNION ALL SELECT hour + 1 FROM hours WHERE hour < 7199)
       INSERT INTO events (at, value) SELECT ?1 + hour * ?2, '{}' FROM hours`,
      NOW - 30 * DAY_MS - 10 * HOUR_MS,
      HOUR_MS / 10,
    );
    const { rowsRead } = countingRows(sql, (events) => events.prune(NOW - 30 * DAY_MS));
    return { rowsRead, left: sql.exec(`SELECT count(*) AS left, min(at) AS oldest FROM events`).one() };
  });
  expect(found.left).toEqual({ left: 7_100, oldest: NOW - 30 * DAY_MS });
  // Those that go, and an hour's beside them, each twice.
  expect(found.rowsRead).toBeLessThan(400);
});

it("reads for a snapshot what today brought, however long the log is", async () => {
  const driver = await createActiveDriver();
  const today = NOW - (NOW % DAY_MS);
  const found = await inStorage(driver, (storage) => {
    const { sql } = storage;
    sql.exec(`DELETE FROM events`);
    const insert = (day: number, count: number) =>
      sql.exec(
        `WITH RECURSIVE places (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place < ?1 - 1)
         INSERT INTO events (at, list, offer_id, cents, value)
         SELECT ?2 + place, iif(place % 10 = 0, 'won', 'disliked'), place, 100, '{}' FROM places`,
        count,
        today + day * DAY_MS + HOUR_MS,
      );
    for (let day = -29; day < 0; day += 1) insert(day, 1_000);
    insert(0, 50);
    // The clock was set back for a moment.
    sql.exec(`INSERT INTO events (at, value) VALUES (?, '{}')`, today - 1);
    insert(0, 10);
    return countingRows(sql, (events) => events.totalsSince(today));
  });
  expect(found.result).toEqual({ captured: 6, passedOver: 54, gone: 0, capturedCents: 600 });
  // Each of today's twice, and its place in the index of lists.
  expect(found.rowsRead).toBeLessThan(250);
});
