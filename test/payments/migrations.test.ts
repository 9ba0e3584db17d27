import type { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { serviceUntilOf } from "../../db/queries/payments/service-time.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { applyMigrations, migratedDatabase } from "../support/runtime/migrated-database.ts";

/** The first migration after 0.1.0 that changes payments. */
const LEDGER = "0005";

/** A database of 0.1.0, after what was done to it. */
function released(fill: (database: DatabaseSync) => void): DatabaseSync {
  const database = migratedDatabase({ upTo: LEDGER });
  fill(database);
  applyMigrations(database, { from: LEDGER });
  return database;
}

function addPayment(
  database: DatabaseSync,
  payment: {
    id: string;
    status?: string;
    settledAt: number | null;
    intentId?: string | null;
    totalCents?: number;
  },
): void {
  const { id, status = "settled", settledAt, intentId = `pi_${id}`, totalCents = 5022 } = payment;
  database
    .prepare(
      `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
       VALUES (?, ?, ?, '7days', ?, 'USD', 4987, 0, 0, 0, 35, ?, 0, 1, ?, 1)`,
    )
    .run(id, `driver-${id}`, intentId, status, totalCents, settledAt);
}

it("gives payments of an earlier release their receipt numbers, in the order in which they went through", () => {
  const database = released((old) => {
    addPayment(old, { id: "c", settledAt: 300 });
    addPayment(old, { id: "b", settledAt: 100, status: "refunded" });
    addPayment(old, { id: "a", settledAt: 100 });
    addPayment(old, { id: "open", settledAt: null, status: "open" });
    addPayment(old, { id: "points", settledAt: 400, intentId: null, totalCents: 0 });
  });
  const rows = database.prepare(`SELECT id, receipt_number, method FROM payments ORDER BY id`).all();
  expect(rows.map((row) => [row["id"], row["receipt_number"], row["method"]])).toEqual([
    ["a", 1, null],
    ["b", 2, null],
    ["c", 3, null],
    ["open", null, null],
    ["points", 4, "points"],
  ]);
});

it("takes payments that were given back in full out of the raffles that are not drawn", () => {
  const database = released((old) => {
    old.exec(
      `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, seed) VALUES ('now', '7days', 0, 9, 1, 'h', NULL), ('drawn', '7days', 0, 9, 1, 'h', 's')`,
    );
    for (const status of ["settled", "refunded", "dispute_lost", "partly_refunded"]) {
      addPayment(old, { id: status, status, settledAt: 1 });
      for (const promotion of ["now", "drawn"]) {
        old
          .prepare(
            `INSERT INTO raffle_entries (promotion_id, payment_id, driver_id, at) VALUES (?, ?, 'd', 1)`,
          )
          .run(promotion, status);
      }
    }
  });
  const entries = (promotion: string) =>
    database
      .prepare(`SELECT payment_id FROM raffle_entries WHERE promotion_id = ? ORDER BY payment_id`)
      .all(promotion)
      .map((row) => row["payment_id"]);
  expect(entries("now")).toEqual(["partly_refunded", "settled"]);
  expect(entries("drawn")).toHaveLength(4);
});

it("reads the ledger of an earlier release, and gives days back that a refund took from another payment", () => {
  const entries = [
    { source: "payment:old", durationMs: 7 * DAY_MS, at: 0 },
    { source: "payment:new", durationMs: 7 * DAY_MS, at: 7 * DAY_MS },
    { source: "payment:old:re_1", durationMs: -7 * DAY_MS, at: 7 * DAY_MS },
  ];
  expect(serviceUntilOf(entries)).toBe(14 * DAY_MS);
});
