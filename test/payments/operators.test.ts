import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { migratedDatabase } from "../support/migrated-database.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(`${root}/README.md`, "utf8");

/** The SQL statement that README has under a marker. */
function statementOf(marker: string): string {
  const command = readme.split(`<!-- ${marker} -->`)[1] ?? "";
  const found = /--command "([^"]+)"/.exec(command)?.[1];
  if (!found) throw new Error(`README has no command for a ${marker}`);
  return found;
}

it("the operator's command for a price in README adds a row that holds from its day on", () => {
  const database = migratedDatabase();
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
