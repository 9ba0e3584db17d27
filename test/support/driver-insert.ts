import { getTableColumns } from "drizzle-orm";
import type { DatabaseSync } from "node:sqlite";
import { users } from "../../db/schema/drivers.ts";

/** A driver's record, of which all but the id may be left out. */
export type GivenDriver = { id: string } & Partial<Omit<typeof users.$inferInsert, "id">>;

/** Adds a driver's record to a database of the test's own. */
export function insertDriver(database: DatabaseSync, given: GivenDriver): void {
  const { query, values } = driverInsert(given);
  database.prepare(query).run(...values);
}

/** The statement that adds a driver's record: Ana, in English, in New York, switched off. */
export function driverInsert(given: GivenDriver): { query: string; values: (string | number | null)[] } {
  const row: GivenDriver = {
    phoneNumber: "+15550100100",
    name: "Ana",
    language: "en",
    mode: "lucrative",
    switchedOn: false,
    waitingForSpot: false,
    referral: "jornada",
    humanTimezone: "America/New_York",
    proxyInstalled: false,
    revision: 1,
    createdAt: 0,
    ...given,
  };
  const set = Object.entries(getTableColumns(users)).flatMap(([key, column]) => {
    const value: unknown = Reflect.get(row, key);
    return value === undefined
      ? []
      : [{ name: column.name, value: toStored(column.mapToDriverValue(value)) }];
  });
  return {
    query: `INSERT INTO users (${set.map(({ name }) => name).join()}) VALUES (${set.map(() => "?").join()})`,
    values: set.map(({ value }) => value),
  };
}

function toStored(value: unknown): string | number | null {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  throw new TypeError("a column has text, a number or null");
}
