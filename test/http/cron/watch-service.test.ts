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
