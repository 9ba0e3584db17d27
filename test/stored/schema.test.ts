import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { getTableName, is } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import * as drivers from "../../db/schema/drivers.ts";
import * as fleet from "../../db/schema/fleet.ts";
import * as identity from "../../db/schema/identity.ts";
import * as security from "../../db/schema/security.ts";
import * as money from "../../db/schema/money.ts";
import * as operators from "../../db/schema/operators.ts";
import * as payments from "../../db/schema/payments.ts";
import * as renewal from "../../db/schema/renewal.ts";
import * as rewards from "../../db/schema/rewards.ts";
import * as spots from "../../db/schema/spots.ts";
import * as texts from "../../db/schema/texts.ts";
import * as voice from "../../db/schema/voice.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";

const modules: object[] = [
  drivers,
  fleet,
  identity,
  money,
  operators,
  payments,
  renewal,
  rewards,
  security,
  spots,
  texts,
  voice,
];
const tables = modules
  .flatMap((module): unknown[] => Object.values(module))
  .filter((value) => is(value, SQLiteTable));
const database = migratedDatabase();
const rows = (query: string) =>
  database
    .prepare(query)
    .all()
    .map((row) => ({ ...row }));

/** A table as the migrations made it. */
function migrated(name: string) {
  const columns = rows(`SELECT name, type, "notnull", pk FROM pragma_table_info('${name}')`);
  const key = columns
    .filter(({ pk }) => pk !== 0)
    .toSorted((one, other) => Number(one["pk"]) - Number(other["pk"]));
  const indexes = rows(
    `SELECT name, "unique" FROM pragma_index_list('${name}') WHERE origin = 'c' ORDER BY name`,
  );
  return {
    columns: columns.map((column) => ({
      name: column["name"],
      type: String(column["type"]).toLowerCase(),
      notNull: column["notnull"] === 1 || (key.length === 1 && column["pk"] === 1),
    })),
    key: key.map((column) => column["name"]),
    indexes: indexes.map(({ name: index, unique }) => ({
      name: index,
      isUnique: unique === 1,
      columns: rows(`SELECT name FROM pragma_index_info('${index}')`).length,
    })),
  };
}

/** The same as the schema declares it. */
function declared(table: SQLiteTable) {
  const { columns, primaryKeys, indexes } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return {
    columns: columns.map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      notNull: column.notNull,
    })),
    key: key.map(({ name }) => name),
    indexes: indexes
      .map(({ config }) => ({ name: config.name, isUnique: config.unique, columns: config.columns.length }))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
}

const byName = (one: { name: unknown }, other: { name: unknown }) =>
  String(one.name) < String(other.name) ? -1 : 1;

describe("the schema", () => {
  it("declares every table that the migrations made, and no other", () => {
    const made = rows(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`,
    );
    expect(tables.map(getTableName).toSorted()).toEqual(made.map(({ name }) => name));
  });

  it.each(tables.map((table) => [getTableName(table), table] as const))(
    "declares %s as it is",
    (name, table) => {
      const [made, says] = [migrated(name), declared(table)];
      expect({ ...says, columns: says.columns.toSorted(byName) }).toEqual({
        ...made,
        columns: made.columns.toSorted(byName),
      });
    },
  );
});
