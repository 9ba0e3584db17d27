import { describe, expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { listDriversWithServiceChanges } from "../../db/queries/payments/service-changes.ts";
import { listDriversWithNews } from "../../db/queries/texts/driver-news.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const DRIVERS = 40;
const LIMIT = 10;
const nameOf = (index: number) => `driver-${String(index).padStart(2, "0")}`;

describe.each([
  [
    "service changes",
    `INSERT INTO service_news (source, driver_id, kind, at, changed_ms) VALUES (?, ?, ?, ?, 1)`,
    { known: "paid", list: listDriversWithServiceChanges },
  ],
  [
    "news",
    `INSERT INTO driver_news (source, driver_id, kind, at, subject) VALUES (?, ?, ?, ?, '')`,
    { known: "raffle_won", list: listDriversWithNews },
  ],
])("%s that wait", (_, insert, { known, list }) => {
  function open() {
    const database = migratedDatabase();
    let rows = 0;
    const add = (driver: string, at: number, kind = known) => {
      rows += 1;
      database.prepare(insert).run(`source-${rows}`, driver, kind, at);
    };
    return { add, waiting: () => list(openDb(bindD1(database)), { before: 1_000, limit: LIMIT }) };
  }

  it("come to those who wait the longest, and to any of the others, however many are never reached", async () => {
    const { add, waiting } = open();
    for (let index = 0; index < DRIVERS; index += 1) add(nameOf(index), index);
    const seen = new Set<string>();
    for (let minute = 0; minute < 200; minute += 1) {
      const drivers = await waiting();
      expect(drivers.slice(0, LIMIT / 2)).toEqual(
        Array.from({ length: LIMIT / 2 }, (__, index) => nameOf(index)),
      );
      expect([drivers.length, new Set(drivers).size]).toEqual([LIMIT, LIMIT]);
      for (const driver of drivers) seen.add(driver);
    }
    expect(seen.size).toBe(DRIVERS);
  });

  it("are those from before an instant, of kinds that are known, each driver once", async () => {
    const { add, waiting } = open();
    add("ana", 1);
    add("ana", 2);
    add("bea", 999);
    add("carl", 1_000);
    add("dora", 1, "of tomorrow");
    expect(await waiting()).toEqual(["ana", "bea"]);
  });
});
