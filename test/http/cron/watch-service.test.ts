import { expect, it, vi } from "vitest";
import { openDb } from "../../../db/client.ts";
import { loadAlerts, raiseAlert } from "../../../db/queries/fleet/alerts.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { watchService } from "../../../worker/cron/watch-service.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

function open() {
  const database = migratedDatabase();
  const db = openDb(bindD1(database) as unknown as Parameters<typeof openDb>[0]);
  const clock = { now: NOW };
  const record = { isDown: false, heldSince: null as number | null };
  const renewalsHeldSince = async () => {
    if (record.isDown) throw new RangeError("the object is down");
    return record.heldSince;
  };
  const deps = {
    db,
    now: () => clock.now,
    log: vi.fn(),
    restoreRecord: () => ({ renewalsHeldSince }),
    config: { problems: [] },
  } as unknown as Parameters<typeof watchService>[0];
  return {
    db,
    clock,
    record,
    run: (query: string) => void database.exec(query),
    minute: () => watchService(deps),
    drivers(states: Readonly<Record<string, number>>, since: number) {
      const add = database.prepare(
        `INSERT INTO driver_states (driver_id, state, since, reported_at) VALUES (?, ?, ?, ?)`,
      );
      for (const [state, drivers] of Object.entries(states))
        for (let driver = 0; driver < drivers; driver += 1)
          add.run(`${state} ${driver}`, state, since, since);
    },
    names: async () => (await loadAlerts(db, clock.now)).map(({ name }) => name),
  };
}

it("raises what it finds also where another look fails, which fails the step after all", async () => {
  const watch = open();
  watch.record.isDown = true;
  watch.run(`INSERT INTO ended_tasks (id, kind, is_dead, at) VALUES ('t', 'announce', 1, ${NOW - 1})`);
  await expect(watch.minute()).rejects.toThrow(RangeError);
  expect(await watch.names()).toEqual(["queues.dead"]);
});

it("keeps an alert whose look fails, and ends the others that are over", async () => {
  const watch = open();
  watch.record.heldSince = NOW;
  await watch.minute();
  const until = NOW + 5 * MINUTE_MS;
  await raiseAlert(watch.db, { name: "objects.stale", reason: "asleep", since: NOW, until });
  watch.record.isDown = true;
  for (let minute = 0; minute < 10; minute += 1) {
    watch.clock.now += MINUTE_MS;
    await expect(watch.minute()).rejects.toThrow(RangeError);
    expect(await watch.names()).toEqual(["renewals.held"]);
  }
  watch.record.isDown = false;
  watch.record.heldSince = null;
  await watch.minute();
  expect(await watch.names()).toEqual([]);
});

it("raises an alert where most drivers at work get answers of the platform that can't be read, and ends it", async () => {
  const watch = open();
  watch.drivers({ polling: 40, unreadable: 30, blocks_unreadable: 30, asleep: 500 }, NOW - 2 * MINUTE_MS);
  await watch.minute();
  expect(await watch.names()).toEqual(["platform.unreadable"]);
  watch.run(`UPDATE driver_states SET state = 'polling' WHERE state = 'unreadable'`);
  await watch.minute();
  expect(await watch.names()).toEqual([]);
});

it("raises no alert where drivers have got such answers for less than a minute", async () => {
  const watch = open();
  watch.drivers({ unreadable: 30 }, NOW - 30_000);
  await watch.minute();
  expect(await watch.names()).toEqual([]);
});

it("raises no alert where one or two drivers at work get such answers, as for blocks of their own", async () => {
  const watch = open();
  watch.drivers({ unreadable: 1, blocks_unreadable: 1, polling: 1, asleep: 500 }, NOW - 2 * MINUTE_MS);
  await watch.minute();
  expect(await watch.names()).toEqual([]);
  watch.run(`UPDATE driver_states SET state = 'blocks_unreadable' WHERE state = 'polling'`);
  await watch.minute();
  expect(await watch.names()).toEqual(["platform.unreadable"]);
});

it("raises an alert where the platform signs out many drivers within an hour, which ends with it", async () => {
  const watch = open();
  watch.drivers({ polling: 900, off: 5_000 }, NOW - 9 * MINUTE_MS);
  watch.drivers({ signed_out: 60 }, NOW - 5 * MINUTE_MS);
  await watch.minute();
  expect(await watch.names()).toEqual(["platform.signed_out"]);
  watch.clock.now += 60 * MINUTE_MS;
  await watch.minute();
  expect(await watch.names()).toEqual([]);
});

it("ends that alert with the minute in which the drivers linked again", async () => {
  const watch = open();
  watch.drivers({ signed_out: 6 }, NOW - 5 * MINUTE_MS);
  await watch.minute();
  expect(await watch.names()).toEqual(["platform.signed_out"]);
  watch.run(`UPDATE driver_states SET state = 'polling'`);
  await watch.minute();
  expect(await watch.names()).toEqual([]);
});

it("counts no driver whose object is overdue among those of whom many are signed out", async () => {
  const watch = open();
  watch.drivers({ polling: 200, signed_out: 6 }, NOW - 5 * MINUTE_MS);
  await watch.minute();
  expect(await watch.names()).toEqual([]);
  watch.run(`INSERT INTO heartbeats (driver_id, object_name, due_at)
    SELECT driver_id, 'object of ' || driver_id, ${NOW - 10 * MINUTE_MS} FROM driver_states WHERE state = 'polling'`);
  await watch.minute();
  expect(await watch.names()).toEqual(["platform.signed_out"]);
});

it.each([
  ["few", { polling: 10, signed_out: 4 }],
  ["a small share", { polling: 900, signed_out: 40 }],
])("raises no alert where the platform signs out %s", async (_, states) => {
  const watch = open();
  watch.drivers(states, NOW - MINUTE_MS);
  await watch.minute();
  expect(await watch.names()).toEqual([]);
});

it("raises an alert where what operators ordered was not carried out for half an hour, which ends with it", async () => {
  const watch = open();
  for (const [id, kind] of [
    ["one", "refund"],
    ["two", "refund"],
    ["three", "erase"],
  ]) {
    watch.run(`INSERT INTO operator_acts (id, attempt, operator, role, act, what, reason, before, after, worth_cents, at)
      VALUES ('${id}', '${id}', 'owner@example.com', 'owner', '${kind}', '{}', 'a test', '{}', '{}', 0, ${NOW})`);
    watch.run(`INSERT INTO operator_orders (id, kind, driver_id, due_at, keys_used)
      VALUES ('${id}', '${kind}', 'driver', ${NOW}, 0)`);
  }
  const minuteAfterTry = async () => {
    watch.run(`UPDATE operator_orders SET due_at = ${watch.clock.now}`);
    await watch.minute();
  };
  watch.clock.now += 30 * MINUTE_MS;
  await minuteAfterTry();
  expect(await watch.names()).toEqual([]);
  watch.clock.now += MINUTE_MS;
  // While a maintenance closes the deployment nothing is tried, and this takes no person.
  await watch.minute();
  expect(await watch.names()).toEqual([]);
  await minuteAfterTry();
  expect(await loadAlerts(watch.db, watch.clock.now)).toMatchObject([
    { name: "orders.left", reason: "erase 1, refund 2", since: NOW },
  ]);
  watch.run(`DELETE FROM operator_orders`);
  await watch.minute();
  expect(await watch.names()).toEqual([]);
});
