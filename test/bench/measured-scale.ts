import { performance } from "node:perf_hooks";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { DATABASE_STATEMENTS_A_SECOND, scaleTable, type CountedDay } from "./scale.ts";

const DRIVERS = 20_000;
const WRITES = 20_000;

/** The model's table, and how long the most frequent write takes in a database of so many drivers. */
export function benchScale(day: CountedDay) {
  const database = migratedDatabase();
  const write = database.prepare(
    `INSERT INTO won_days (driver_id, day, currency, blocks, pay_cents, minutes) VALUES (?, ?, 'USD', 1, 9000, 180)
     ON CONFLICT (driver_id, day, currency) DO UPDATE SET blocks = excluded.blocks, pay_cents = excluded.pay_cents`,
  );
  const driver = (index: number) =>
    `6f1f8a52-6d0e-4a26-9d3e-${String((index * 7919) % DRIVERS).padStart(12, "0")}`;
  for (let index = 0; index < DRIVERS; index += 1) write.run(driver(index), 20_000);
  const begun = performance.now();
  for (let index = 0; index < WRITES; index += 1) write.run(driver(index * 3), 20_000 + (index % 2));
  return {
    table: scaleTable(day),
    msPerStatement: (performance.now() - begun) / WRITES,
    modelMsPerStatement: 1000 / DATABASE_STATEMENTS_A_SECOND,
  };
}
