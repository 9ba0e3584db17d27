import { sql, type SQL } from "drizzle-orm";
import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import {
  compensationEffects,
  isUndrawnWith,
  listRaffleDrawEntries,
} from "../../db/queries/operators/raffles.ts";
import { writeAct, type NewAct } from "../../db/queries/operators/acts.ts";
import type { Deps } from "../../durable/deps.ts";
import { closeRaffles } from "../../worker/payments/raffles.ts";
import { NOW } from "../payments/checkout-harness.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const ENTRIES = 60_000;
/** A raffle that ended a day ago, in which each of so many drivers is once. */
function openRaffle() {
  const database = migratedDatabase();
  database.exec(`INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, draw_version)
    VALUES ('large', '7days', 0, ${NOW - DAY_MS}, 10, 'hash', 2), ('next', '7days', 0, ${NOW - 3 * HOUR_MS}, 10, 'hash', 2)`);
  const numbered = `WITH RECURSIVE numbered (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbered WHERE n < ${ENTRIES})`;
  const id = `printf('%08d-0000-4000-8000-000000000000', n)`;
  database.exec(`INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
    ${numbered} SELECT ${id}, ${id}, 'pi' || n, '7days', 'settled', 'USD', 1, 0, 0, 0, 0, 1, 0, 0, 0, 1 FROM numbered`);
  database.exec(
    `INSERT INTO raffle_entries (promotion_id, payment_id, driver_id, at) ${numbered} SELECT 'large', ${id}, ${id}, 0 FROM numbered`,
  );
  const db = openDb(bindD1(database) as never);
  const count = (table: string) => database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"];
  return { database, db, count };
}

it("closes with sixty thousand entries as with few, and holds up no other raffle", async () => {
  const { database, db, count } = openRaffle();
  const config = { beacon: { publicKey: "key" } };
  const deps = { db, now: () => NOW, log: () => {}, config } as unknown as Deps;
  await closeRaffles(deps);
  expect(count("raffle_tickets")).toBe(ENTRIES);
  expect(database.prepare(`SELECT id, closed_at AS at FROM promotions ORDER BY id`).all()).toEqual([
    { id: "large", at: NOW },
    { id: "next", at: NOW },
  ]);
});

it("is compensated once, and not if any of its entries has changed since they were read", async () => {
  const { database, db, count } = openRaffle();
  const entries = await listRaffleDrawEntries(db, "large");
  const condition = isUndrawnWith(
    "large",
    entries.map(({ paymentId }) => paymentId),
  );
  const isSame = async () => (await db.get<{ same: number }>(sql`SELECT ${condition} AS same`)).same === 1;
  const [first, middle, last] = [entries[0], entries[ENTRIES / 2], entries.at(-1)];
  for (const entry of [first, middle, last]) {
    const set = (status: string) =>
      database.prepare(`UPDATE payments SET status = ? WHERE id = ?`).run(status, entry?.paymentId ?? "");
    set("refunded");
    expect(await isSame()).toBe(false);
    set("settled");
    expect(await isSame()).toBe(true);
  }
  const act: NewAct = {
    id: "act",
    operator: "owner@example.com",
    role: "owner",
    act: "compensate_raffle",
    driverId: null,
    what: {},
    reason: "",
    before: {},
    after: {},
    worthCents: 0,
    at: NOW,
  };
  const drivers = entries.map(({ driverId }) => driverId);
  const effects = (where: SQL) =>
    compensationEffects(db, where, { act: "act", raffle: "large", drivers, points: 5, now: NOW });
  expect((await writeAct(db, act, { condition, effects, limits: null })).status).toBe("done");
  expect([count("point_entries"), count("raffle_entries")]).toEqual([ENTRIES, 0]);
});
