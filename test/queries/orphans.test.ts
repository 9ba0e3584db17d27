import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { forgetOrphans } from "../../db/queries/fleet/heartbeats.ts";
import { driverId } from "../../db/shapes/units.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

it("forgets of the named objects those of which no driver is left, and nobody where none is named", async () => {
  const database = migratedDatabase();
  insertDriver(database, { id: "ana" });
  for (const id of ["ana", "gone", "other"]) {
    database
      .prepare(`INSERT INTO heartbeats (driver_id, object_name, due_at) VALUES (?, 'object', 1)`)
      .run(id);
    database
      .prepare(`INSERT INTO driver_states (driver_id, state, since, reported_at) VALUES (?, 'off', 1, 1)`)
      .run(id);
  }
  const left = () =>
    ["heartbeats", "driver_states"].map((table) =>
      database
        .prepare(`SELECT driver_id FROM ${table} ORDER BY driver_id`)
        .all()
        .map((row) => row["driver_id"]),
    );
  const db = openDb(bindD1(database));
  await forgetOrphans(db, []);
  expect(left()).toEqual([
    ["ana", "gone", "other"],
    ["ana", "gone", "other"],
  ]);
  await forgetOrphans(
    db,
    ["ana", "gone"].map((id) => driverId.parse(id)),
  );
  expect(left()).toEqual([
    ["ana", "other"],
    ["ana", "other"],
  ]);
});
