import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { lockEnd } from "../../db/queries/identity/locks.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

it("a lock holds its subject alone, and ends to the millisecond", async () => {
  const database = migratedDatabase();
  const db = openDb(bindD1(database));
  database
    .prepare(
      `INSERT INTO pool_attempts (subject, failures, locked_until, last_at) VALUES ('ana', 6, 1000, 1)`,
    )
    .run();
  expect(await lockEnd(db, "ana", 999)).toBe(1000);
  expect(await lockEnd(db, "ana", 1000)).toBeNull();
  expect(await lockEnd(db, "bia", 999)).toBeNull();
});
