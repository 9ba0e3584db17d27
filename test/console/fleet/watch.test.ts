import { beforeEach, describe, expect, it } from "vitest";
import { openDb, type Db } from "../../../db/client.ts";
import { listReportedObjects } from "../../../db/queries/fleet/heartbeats.ts";
import { driverId, MINUTE_MS, type DriverId } from "../../../db/shapes/units.ts";
import type { WatchedObject } from "../../../durable/runtime/env.ts";
import { ROUND_SIZE, type Woken } from "../../../durable/watch/watch-list.ts";
import { watcherOf, type Watchers } from "../../../durable/watch/watchers.ts";
import { watchObjects } from "../../../worker/cron/watch-service.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { openWatchers } from "../../support/watchers.ts";
import { insertDriver } from "../../support/driver-insert.ts";

const WATCHERS = 16;
const WOKEN: Woken = { isWatched: true, failure: null };
const GRACE_MS = 3 * MINUTE_MS;

const clock = { now: 0 };
let statements = 0;
let db: Db;
let watchers: Watchers;
let woken: DriverId[];
/** The answer of an object to being woken: by default it beats. */
let wake: (object: WatchedObject) => Promise<Woken>;
const database = migratedDatabase();

const beat = (id: DriverId) =>
  watchers.of(id)?.beat({ driverId: id, objectName: `enam:${id}`, dueAt: clock.now + GRACE_MS });
const ids = (count: number) => Array.from({ length: count }, (_, index) => driverId.parse(`driver-${index}`));
const round = (of = watchers, count = WATCHERS) =>
  watchObjects({ db, now: () => clock.now, log: () => {}, watchers: of, config: { watchers: count } });

function register(drivers: readonly DriverId[]): void {
  database.exec("BEGIN");
  for (const [index, id] of drivers.entries())
    insertDriver(database, {
      id,
      phoneNumber: `+1555${String(index).padStart(7, "0")}`,
      switchedOn: true,
      proxyInstalled: true,
    });
  database.exec("COMMIT");
}

beforeEach(() => {
  clock.now = Date.parse("2026-11-02T12:00:00Z");
  database.exec("DELETE FROM heartbeats; DELETE FROM users");
  statements = 0;
  const count = () => {
    statements += 1;
  };
  db = openDb(bindD1(database, undefined, count));
  woken = [];
  wake = async ({ driverId: id }) => {
    await beat(id);
    return WOKEN;
  };
  watchers = openWatchers(WATCHERS, {
    now: () => clock.now,
    wake: (object) => {
      woken.push(object.driverId);
      return wake(object);
    },
  });
});

describe("the watch over objects", () => {
  it("finds a lost alarm in the minute after its deadline, and asks D1 once a minute", async () => {
    const [lost, ...others] = ids(20);
    register(ids(20));
    for (const id of ids(20)) await beat(id);
    for (let minute = 1; minute <= 4; minute += 1) {
      clock.now += MINUTE_MS;
      for (const id of others) await beat(id);
      const before = statements;
      await round();
      expect(statements - before).toBe(1);
    }
    expect(woken).toEqual([lost]);
  });

  it("wakes ten thousand that lost their alarm at once within five minutes", async () => {
    const all = ids(10_000);
    register(all);
    for (const id of all) await beat(id);
    const minutes: number[] = [];
    for (let minute = 1; minute <= 5; minute += 1) {
      clock.now += MINUTE_MS;
      await round();
      minutes.push(woken.length);
    }
    expect(minutes).toEqual([0, 0, 0, 10_000, 10_000]);
    expect(new Set(woken).size).toBe(10_000);
    expect(await listReportedObjects(db, clock.now, 1)).toEqual([]);
  });

  it("spreads drivers evenly, and each always to the same watcher", () => {
    const counts = Array.from({ length: WATCHERS }, () => 0);
    for (let index = 0; index < 16_000; index += 1) {
      const own = watcherOf(driverId.parse(crypto.randomUUID()), WATCHERS);
      counts[own] = (counts[own] ?? 0) + 1;
    }
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(250);
  });

  it("lets objects that can't be woken hold up no others, and shows them to operators until they wake", async () => {
    const one = openWatchers(1, {
      now: () => clock.now,
      wake: async (object) => {
        if (object.driverId !== last) return { isWatched: true, failure: "Error at driver.ts" };
        await one.of(last)?.beat({ ...object, dueAt: clock.now + GRACE_MS });
        return WOKEN;
      },
    });
    const broken = ids(ROUND_SIZE);
    const last = driverId.parse("last");
    register([...broken, last]);
    for (const id of broken) await one.of(id)?.beat({ driverId: id, objectName: "o", dueAt: 1 });
    await one.of(last)?.beat({ driverId: last, objectName: "o", dueAt: 2 });
    await round(one, 1);
    clock.now += MINUTE_MS;
    await round(one, 1);
    const seen = await listReportedObjects(db, clock.now, 10_000);
    expect(seen).toHaveLength(ROUND_SIZE);
    expect(database.prepare(`SELECT DISTINCT failure FROM heartbeats`).all()).toEqual([
      { failure: "Error at driver.ts" },
    ]);
    expect(seen.map(({ driverId: id }) => id)).not.toContain(last);
    for (const id of broken)
      await one.of(id)?.beat({ driverId: id, objectName: "o", dueAt: clock.now + GRACE_MS });
    await round(one, 1);
    expect(await listReportedObjects(db, clock.now, 1)).toEqual([]);
  });

  it("takes up what objects of the last release told D1", async () => {
    const [id] = ids(1) as [DriverId];
    register([id]);
    database
      .prepare(`INSERT INTO heartbeats (driver_id, object_name, due_at) VALUES (?, 'enam:x', ?)`)
      .run(id, clock.now + GRACE_MS);
    clock.now += MINUTE_MS;
    await round();
    expect(woken).toEqual([]);
    clock.now += GRACE_MS;
    await round();
    expect(woken).toEqual([id]);
    expect(await listReportedObjects(db, clock.now, 1)).toEqual([]);
    expect(await watchers.of(id)?.list()).toEqual([id]);
  });

  it("ends for an object without a driver", async () => {
    const [gone, orphan] = ids(2) as [DriverId, DriverId];
    register([gone]);
    for (const id of [gone, orphan]) await watchers.of(id)?.beat({ driverId: id, objectName: "o", dueAt: 1 });
    // One says so itself; of the other D1 has no record, though it never answers.
    wake = async ({ driverId: id }) => ({ isWatched: id !== gone, failure: null });
    await round();
    expect(await watchers.of(gone)?.list()).not.toContain(gone);
    expect(await watchers.of(orphan)?.list()).not.toContain(orphan);
  });

  it("says that a watcher did not answer, after the others had their round", async () => {
    const all = ids(64);
    register(all);
    for (const id of all) await beat(id);
    clock.now += GRACE_MS + 1;
    const broken: Watchers = {
      ...watchers,
      byNumber: (number) => {
        if (number === 3) throw new Error("overloaded");
        return watchers.byNumber(number);
      },
    };
    await expect(round(broken)).rejects.toThrow("overloaded");
    const others = all.filter((id) => watcherOf(id, WATCHERS) !== 3);
    expect(woken.toSorted()).toEqual(others.toSorted());
    await round();
    expect(woken.toSorted()).toEqual(all.toSorted());
  });
});
