import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { replaceReportedObjects } from "../../db/queries/fleet/heartbeats.ts";
import { driverId } from "../../db/shapes/units.ts";
import { ROUND_SIZE } from "../../durable/watch/watch-list.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = 1_800_000_000_000;
const WATCHERS = 16;

it("tells operators of all objects that throw, though each of them does", async () => {
  const database = migratedDatabase();
  const ids = Array.from({ length: WATCHERS * ROUND_SIZE }, (_, index) =>
    driverId.parse(`6f1f8a52-6d0e-4a26-9d3e-${String(index).padStart(12, "0")}`),
  );
  const gone = ids.at(-1);
  database
    .prepare(
      `INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, proxy_installed, revision, created_at)
       SELECT value, value, 'Ana', 'en', 'lucrative', 0, 0, 'jornada', 'America/New_York', 0, 1, 0 FROM json_each(?)`,
    )
    .run(JSON.stringify(ids.slice(0, -1)));
  const db = openDb(bindD1(database) as never);
  const failure = "RemoteError, TypeError, loadState (index.js:12345:67)";
  const overdue = ids.map((id) => ({ driverId: id, objectName: `enam:${id}`, dueAt: NOW, failure }));
  expect(await replaceReportedObjects(db, { over: [], overdue })).toEqual([gone]);
  const count = database.prepare(`SELECT count(*) AS rows, min(failure) AS failure FROM heartbeats`).get();
  expect(count).toEqual({ rows: ids.length - 1, failure });
});
