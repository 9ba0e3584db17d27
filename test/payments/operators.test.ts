import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { migratedDatabase } from "../support/migrated-database.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(`${root}/README.md`, "utf8");
const PHONE = "+15550100100";

/** The SQL statement that README has under a marker. */
function statementOf(marker: string): string {
  const command = readme.split(`<!-- ${marker} -->`)[1] ?? "";
  const found = /--command "([^"]+)"/.exec(command)?.[1];
  if (!found) throw new Error(`README has no command for a ${marker}`);
  return found;
}

function migrated(): DatabaseSync {
  const database = migratedDatabase();
  database.exec(
    `INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, proxy_installed, revision, created_at)
     VALUES ('ana', '${PHONE}', 'Ana', 'en', 'lucrative', 0, 0, 'jornada', 'America/New_York', 0, 1, 0)`,
  );
  return database;
}

it.each([
  [
    "flash sale",
    "price_cuts",
    { id: "black-friday", kind: "flash_sale", plan: "14days", price_cents: 6999, driver_id: null },
  ],
  [
    "special price",
    "price_cuts",
    { id: "for-ana", kind: "special_price", plan: "30days", price_cents: 14_999, driver_id: "ana" },
  ],
  ["promotion", "promotions", { id: "december", plan: "14days", winners: 10, seed: null }],
])("the operator's command for a %s in README writes the row that it describes", (marker, table, row) => {
  const database = migrated();
  database.exec(statementOf(marker));
  const [written] = database.prepare(`SELECT * FROM ${table}`).all();
  expect(written).toMatchObject(row);
  const [startsAt, endsAt] = [Number(written?.["starts_at"]), Number(written?.["ends_at"])];
  expect(startsAt).toBeGreaterThan(1_700_000_000_000);
  expect(endsAt).toBeGreaterThan(startsAt);
});

it("the operator's command for a price in README adds a row that holds from its day on", () => {
  const database = migrated();
  database.exec(statementOf("price"));
  expect({
    ...database.prepare(`SELECT * FROM plans WHERE plan = '14days' ORDER BY valid_from DESC`).get(),
  }).toEqual({
    id: "14days-2",
    plan: "14days",
    price_cents: 9499,
    valid_from: Date.UTC(2027, 0, 1),
  });
});
