import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import { Driver } from "../../../durable/driver/driver.ts";
import { Store } from "../../../durable/driver/storage/store.ts";
import { initialState } from "../../../durable/engine/initial-state.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import {
  createActiveDriver,
  createDriver,
  driverObject,
  fetchAccepts,
  injectFault,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

const NOW = 1_795_000_000_000;
const SECRET = "never to be logged";
const JUNK = `{"${SECRET}":`;

beforeEach(async () => {
  vi.restoreAllMocks();
  await resetPlatform();
});

/** Changes the storage by SQL and restarts the object. */
async function tamper(driver: TestDriver, ...statements: string[]): Promise<void> {
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    for (const statement of statements) storage.sql.exec(statement);
  });
  await evictDurableObject(driverObject(driver));
}

/** Log lines with this event name. */
function linesOf(spy: { mock: { calls: unknown[][] } }): Record<string, unknown>[] {
  return spy.mock.calls
    .map(([line]) => JSON.parse(String(line)) as Record<string, unknown>)
    .filter(({ event }) => event === "driver.storage.unreadable");
}

/** A driver with rows in every table: a capture, a rejected offer, an unknown attempt. */
async function createBusyDriver(): Promise<TestDriver> {
  const driver = await createActiveDriver();
  const [warehouse] = driver.warehouseIds;
  if (!warehouse) throw new Error("no warehouse");
  await publishOffer(warehouse);
  await publishOffer(warehouse, { inMinutes: 600, payCents: 50 });
  await runAlarm(driver);
  await injectFault({ operation: "acceptOffer", fault: "lost_answer", times: 2 });
  await publishOffer(warehouse, { inMinutes: 400, minutes: 60 });
  for (let polls = 0; polls < 3; polls += 1) await runAlarm(driver);
  return driver;
}

describe("a storage with only malformed rows", () => {
  const spoil = [
    `UPDATE state SET value = '${JUNK}'`,
    `UPDATE verdicts SET value = '7'`,
    `UPDATE attempts SET value = '{}'`,
    `INSERT INTO attempts (attempt_id, value, open) VALUES ('0123456789abc-9', '{}', 1)`,
    `UPDATE events SET value = '{"kind":"${SECRET}"}'`,
    `INSERT INTO outbox (value, due_at, tries) VALUES ('{"kind":"${SECRET}"}', 0, 0)`,
    `INSERT INTO push_subscriptions (endpoint, value) VALUES ('https://push.test/${SECRET}', '[]')`,
  ];

  it("blocks neither dashboard, lists, export, switch, unlinking nor account deletion", async () => {
    const driver = await createBusyDriver();
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    await tamper(driver, ...spoil);

    const { client } = driver;
    const snapshot = await driverObject(driver).snapshot();
    expect(snapshot).toMatchObject({ held: [], feed: [], warehouses: [], switchedOn: true });
    expect(snapshot.phase).toEqual({ kind: "needs_link" });
    for (const path of ["/flex/v1/user", "/flex/v1/setup", "/flex/v1/blocks/next"])
      expect([path, (await client.call("GET", path)).status]).toEqual([path, 200]);
    // D1 has a copy of what was won.
    for (const [type, count] of Object.entries({ won: 1, disliked: 0, lost: 0 })) {
      const answer = await client.call("GET", `/flex/v1/blocks?type=${type}`);
      const { items }: { items: unknown[] } = await answer.json();
      expect([type, answer.status, items.length]).toEqual([type, 200, count]);
    }
    expect((await client.call("POST", "/flex/v1/live/ticket")).status).toBe(200);

    const exported = await client.call("GET", "/flex/v1/user/export");
    const file = await exported.json<DriverExport>();
    // New entries can be read.
    expect(file.log.map(({ event }) => event.kind)).toEqual(["phase_changed"]);
    expect(file.held).toEqual([]);
    expect(file.unreadableRows).toBeGreaterThan(10);

    const off = await client.patchUser({ phoneNumber: driver.phoneNumber, userDisabled: 1 });
    expect(off.status).toBe(200);
    expect(await driverObject(driver).snapshot()).toMatchObject({
      switchedOn: false,
      phase: { kind: "off" },
    });
    expect((await client.call("DELETE", "/flex/v1/setup")).status).toBe(204);
    expect((await client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    expect(await driverObject(driver).countUnreadableRows()).toBe(0);

    const lines = linesOf(logged);
    expect(new Set(lines.map(({ table }) => table))).toEqual(
      new Set(["state", "verdicts", "attempts", "events", "outbox", "push_subscriptions"]),
    );
    expect(lines[0]).toEqual({
      event: "driver.storage.unreadable",
      objectName: `enam:${driver.driverId}`,
      table: "state",
      key: expect.any(String),
      version: expect.any(Number),
      error: expect.any(String),
      at: null,
    });
    expect(JSON.stringify(logged.mock.calls)).not.toContain(SECRET);
  });

  it("is logged once per row, however often the object starts", async () => {
    const driver = await createBusyDriver();
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    await tamper(driver, ...spoil);
    for (let starts = 0; starts < 3; starts += 1) {
      await driverObject(driver).logPage({ after: 0, limit: 500 });
      // Its own work ends before it is stopped.
      await runAlarm(driver);
      await evictDurableObject(driverObject(driver));
    }
    const places = linesOf(logged).map(({ table, key }) => `${String(table)} ${String(key)}`);
    expect(places.length).toBeGreaterThan(10);
    expect(places).toEqual([...new Set(places)]);
  });
});

describe("if one value is malformed", () => {
  it.each(["profile", "owner"])("the %s is restored from D1, and the driver stays on", async (key) => {
    const driver = await createActiveDriver();
    vi.spyOn(console, "error").mockImplementation(() => {});
    await tamper(driver, `UPDATE state SET value = '${JUNK}' WHERE key = '${key}'`);
    expect(await driverObject(driver).snapshot()).toMatchObject({
      switchedOn: true,
      timeZone: "America/New_York",
    });
    const [warehouse] = driver.warehouseIds;
    if (!warehouse) throw new Error("no warehouse");
    await publishOffer(warehouse);
    await runAlarm(driver);
    expect((await driverObject(driver).list("won", { cursor: 1e9, limit: 10 })).length).toBe(1);
  });

  it("the owner is missing while D1 is down, and the link outlives that", async () => {
    const driver = await createActiveDriver();
    vi.spyOn(console, "error").mockImplementation(() => {});
    const DB = {
      prepare: () => {
        throw new Error("the database is down");
      },
    } as unknown as D1Database;
    await runInDurableObject(driverObject(driver), async (_object, state) => {
      state.storage.sql.exec(`UPDATE state SET value = '${JUNK}' WHERE key = 'owner'`);
      await new Driver(state, { ...env, DB }).alarm();
    });
    await evictDurableObject(driverObject(driver));
    expect((await driverObject(driver).snapshot()).isLinked).toBe(true);
  });

  it("malformed tokens sign the driver out, and linking again fixes that", async () => {
    const driver = await createActiveDriver();
    vi.spyOn(console, "error").mockImplementation(() => {});
    await tamper(driver, `UPDATE state SET value = '7' WHERE key = 'tokens'`);
    await runAlarm(driver);
    expect((await driverObject(driver).snapshot()).phase).toEqual({ kind: "needs_link" });
    expect(await driver.client.setup()).toEqual({ step: "credentials" });
  });

  it.each(["link", "warehouses"])("a malformed %s requires linking again, which D1 records", async (key) => {
    const driver = await createActiveDriver();
    vi.spyOn(console, "error").mockImplementation(() => {});
    await tamper(driver, `UPDATE state SET value = '${JUNK}' WHERE key = '${key}'`);
    await runAlarm(driver);
    expect((await driverObject(driver).snapshot()).phase).toEqual({ kind: "needs_link" });
    await vi.waitFor(async () => {
      const { Item } = await (await driver.client.call("GET", "/flex/v1/user")).json<{ Item: object }>();
      expect(Item).toMatchObject({ proxyInstalled: false });
    });
  });

  it("an attempt's offer is not accepted with a second key", async () => {
    const driver = await createActiveDriver();
    const [warehouse] = driver.warehouseIds;
    if (!warehouse) throw new Error("no warehouse");
    await injectFault({ operation: "acceptOffer", fault: "lost_answer", times: 2 });
    const offerId = await publishOffer(warehouse);
    await runAlarm(driver);
    vi.spyOn(console, "error").mockImplementation(() => {});
    await tamper(
      driver,
      `UPDATE attempts SET value = json_set(value, '$.outcome', json('{"status":"wondered"}')) WHERE open = 1`,
    );
    const open = await runInDurableObject(driverObject(driver), (_object, { storage }) =>
      storage.sql.exec(`SELECT 1 FROM attempts WHERE open = 1`).toArray(),
    );
    expect(open).toHaveLength(1);
    for (let polls = 0; polls < 4; polls += 1) await runAlarm(driver);
    const keys = (await fetchAccepts()).filter((accept) => accept.offerId === offerId).map(({ key }) => key);
    expect(new Set(keys).size).toBe(1);
    await vi.waitFor(async () => {
      await runAlarm(driver);
      expect((await driverObject(driver).list("won", { cursor: 1e9, limit: 10 })).length).toBe(1);
    });
  });
});

describe("the storage", () => {
  /** Runs with the storage of a new object. */
  async function inStorage<Result>(run: (open: () => Store, sql: SqlStorage) => Result): Promise<Result> {
    const driver = await createDriver();
    return runInDurableObject(driverObject(driver), (_object, { storage }) =>
      run(() => new Store(storage, { log, now: () => NOW, objectName: "enam:someone" }), storage.sql),
    );
  }
  const log = vi.fn();
  beforeEach(() => log.mockClear());

  const fresh = () => initialState("0123456789abc");
  const pushEvents = (store: Store, count: number) =>
    store.events.append(
      Array.from({ length: count }, (_, index) => ({
        kind: "phase_changed" as const,
        at: NOW + index,
        phase: { kind: "polling" as const },
      })),
    );

  it("skips malformed log entries and still returns full pages", async () => {
    const seqs = await inStorage((open, sql) => {
      const store = open();
      pushEvents(store, 10);
      sql.exec(`UPDATE events SET value = '{}' WHERE seq IN (2, 3, 10)`);
      const pages = [store.events.page({ after: 0, limit: 4 }), store.events.page({ after: 6, limit: 4 })];
      return [...pages, store.events.after(4, { limit: 100, since: 0 })].map(
        (page) => page?.map(({ seq }) => seq) ?? null,
      );
    });
    // A client that missed a malformed entry gets a snapshot instead.
    expect(seqs).toEqual([[1, 4, 5, 6], [7, 8, 9], null]);
  });

  it("reads rows of a later release but for the words that it doesn't know, and logs each once", async () => {
    const read = await inStorage((open, sql) => {
      const begun = open();
      pushEvents(begun, 2);
      sql.exec(
        `UPDATE events SET version = 9, value = json_set(value, '$.phase.kind', 'charging') WHERE seq = 1`,
      );
      sql.exec(
        `UPDATE events SET value = json_object('kind', 'tip_arrived', 'at', 7, 'cents', 5) WHERE seq = 2`,
      );
      sql.exec(
        `INSERT INTO state (key, value, version) VALUES ('link', '{"status":"borrowed","by":"x"}', 9)`,
      );
      sql.exec(
        `INSERT INTO state (key, value, version) VALUES ('seenServiceChanges', '["a",{"id":"b"}]', 9)`,
      );
      const store = open();
      const { link, seenServiceChanges } = store.load(fresh());
      const events = [
        store.events.after(0, { limit: 9, since: 0 }),
        store.events.after(0, { limit: 9, since: 0 }),
      ];
      const copies = sql.exec(`SELECT source, key FROM unreadable_rows ORDER BY key`).toArray();
      return { link, seenServiceChanges, events, copies };
    });
    const events = [
      { seq: 1, event: { kind: "phase_changed", at: NOW, phase: { kind: "other" } } },
      { seq: 2, event: { kind: "other", at: 7 } },
    ];
    expect(read).toEqual({
      link: { status: "signed_out" },
      seenServiceChanges: ["a"],
      events: [events, events],
      // These are written again without it.
      copies: [
        { source: "state", key: "link" },
        { source: "state", key: "seenServiceChanges" },
      ],
    });
    expect(
      log.mock.calls.map(([level, event, { table, key, at }]) => [level, event, table, key, at]),
    ).toEqual([
      ["warn", "driver.storage.read_in_part", "state", "link", "status"],
      ["warn", "driver.storage.read_in_part", "state", "seenServiceChanges", "1"],
      ["warn", "driver.storage.read_in_part", "events", "1", "phase"],
      ["warn", "driver.storage.read_in_part", "events", "2", ""],
    ]);
  });

  it("keeps and logs at most fifty malformed rows per table", async () => {
    const count = await inStorage((open, sql) => {
      const store = open();
      pushEvents(store, 80);
      sql.exec(`UPDATE events SET value = 'x'`);
      expect(store.events.page({ after: 0, limit: 100 })).toEqual([]);
      expect(store.events.page({ after: 0, limit: 100 })).toEqual([]);
      return store.unreadable.count();
    });
    expect([count, log.mock.calls.length]).toEqual([50, 50]);
  });

  it("removes malformed outbox items", async () => {
    const rest = await inStorage((open, sql) => {
      const store = open();
      store.outbox.add({ kind: "text", body: "Hello", notifications: 1, about: null }, NOW);
      sql.exec(`INSERT INTO outbox (value, due_at, tries) VALUES ('{"kind":"telegram"}', 0, 0)`);
      const due = store.outbox.due(NOW).map(({ item }) => item);
      return { due, nextAt: store.outbox.nextAt(), kept: store.unreadable.count() };
    });
    expect(rest).toEqual({
      due: [{ kind: "text", body: "Hello", notifications: 1, about: null }],
      nextAt: NOW,
      kept: 1,
    });
  });

  it("waits for the first throttle step if the throttle is malformed", async () => {
    const throttle = await inStorage((open, sql) => {
      open();
      sql.exec(`INSERT INTO state (key, value) VALUES ('throttle', '{"step":"third"}')`);
      return open().load(fresh()).throttle;
    });
    expect(throttle).toEqual({ step: 1, until: NOW + 30_000, since: NOW, isNotified: false });
  });

  it("keeps one prefix for attempt ids, and a new one if the sequence is lost", async () => {
    const prefixes = await inStorage((open, sql) => {
      const prefixOf = (initial: DriverState) => {
        const { keyPrefix, attemptSeq } = open().load(initial);
        return [keyPrefix, attemptSeq];
      };
      const begun = fresh();
      open().save(begun, { ...begun, attemptSeq: 2 });
      const restarted = prefixOf(initialState("another-one00"));
      sql.exec(`UPDATE state SET value = '"two"' WHERE key = 'attemptSeq'`);
      const lost = prefixOf(initialState("a-third-one00"));
      return [restarted, lost, prefixOf(initialState("a-fourth-one0"))];
    });
    expect(prefixes).toEqual([
      ["0123456789abc", 2],
      ["a-third-one00", 0],
      ["a-third-one00", 0],
    ]);
  });

  it("writes nothing on loading", async () => {
    const written = await inStorage((open, sql) => {
      const begun = fresh();
      open().save(begun, { ...begun, attemptSeq: 2, link: { status: "linked" } });
      sql.exec(`CREATE TABLE written (key TEXT)`);
      for (const verb of ["INSERT", "UPDATE"])
        sql.exec(
          `CREATE TRIGGER on_${verb} AFTER ${verb} ON state BEGIN INSERT INTO written VALUES (NEW.key); END`,
        );
      const store = open();
      const loaded = store.load(fresh());
      store.save(loaded, loaded);
      store.save(loaded, { ...loaded, attemptSeq: 3 });
      return sql.exec(`SELECT key FROM written`).toArray();
    });
    expect(written).toEqual([{ key: "attemptSeq" }]);
  });

  it("deletes settled attempts, including those of earlier versions", async () => {
    const rows = await inStorage((open, sql) => {
      const store = open();
      const value = JSON.stringify({ settledAt: 1 });
      sql.exec(`INSERT INTO attempts (attempt_id, value, open) VALUES ('0123456789abc-0', ?, 0)`, value);
      pushEvents(store, 1);
      store.prune(NOW + 40 * 86_400_000);
      return [
        ...sql.exec(`SELECT 1 FROM attempts`).toArray(),
        ...sql.exec(`SELECT 1 FROM events`).toArray(),
        ...sql.exec(`SELECT 1 FROM unreadable_rows`).toArray(),
      ];
    });
    expect(rows).toEqual([]);
  });

  it("finds a captured block's start even if another log entry is not JSON", async () => {
    const startsAt = await inStorage((open, sql) => {
      const store = open();
      const won = { attempt: { outcome: { block: { blockId: "blk_1", startsAt: 77 } } } };
      for (const value of ["{", "[]", JSON.stringify(won)])
        sql.exec(`INSERT INTO events (at, list, value) VALUES (1, 'won', ?)`, value);
      return [store.events.wonBlockStartsAt("blk_1"), store.events.wonBlockStartsAt("blk_2")];
    });
    expect(startsAt).toEqual([77, null]);
  });
});
