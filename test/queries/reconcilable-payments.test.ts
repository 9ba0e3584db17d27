import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { listPaymentsToReconcile } from "../../db/queries/payments/payments.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

/** Payments by their names, each a millisecond younger than the one before. */
function open(statuses: Record<string, string>) {
  const database = migratedDatabase();
  const insert = database.prepare(
    `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents,
       total_cents, refunded_cents, created_at, revision, orphaned_at)
     VALUES (?1, ?1, '7days', ?2, 'usd', 4987, 0, 0, 0, 0, 4987, 0, ?3, 1, ?4)`,
  );
  for (const [index, [id, status]] of Object.entries(statuses).entries())
    insert.run(id, status, index, id.startsWith("orphaned") ? 1 : null);
  const db = openDb(bindD1(database));
  return async (limit: number, before = 1_000) =>
    (await listPaymentsToReconcile(db, { before, limit })).map(({ id }) => id);
}

it("are all that aren't finished, the oldest first", async () => {
  const list = open({
    disputed: "disputed",
    settled: "settled",
    open: "open",
    processing: "processing",
    "orphaned-settled": "settled",
    abandoned: "abandoned",
    young: "open",
  });
  expect(await list(20, 6)).toEqual(["disputed", "open", "processing", "orphaned-settled"]);
});

it("are any of those that don't fit, beside the oldest", async () => {
  const names = Array.from({ length: 30 }, (_, index) => `open-${index}`);
  const list = open({ ...Object.fromEntries(names.map((id) => [id, "open"])), disputed: "disputed" });
  const seen = new Set<string>();
  for (let hour = 0; hour < 200; hour += 1) {
    const ids = await list(10);
    expect(ids.slice(0, 5)).toEqual(names.slice(0, 5));
    expect([ids.length, new Set(ids).size]).toEqual([10, 10]);
    for (const id of ids) seen.add(id);
  }
  expect(seen).toEqual(new Set([...names, "disputed"]));
});
