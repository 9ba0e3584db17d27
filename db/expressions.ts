import { sql, type Name, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

/** A column's bare name, for a query's result that another query reads like a table. */
export function nameOf(column: SQLiteColumn): Name {
  return sql.identifier(column.name);
}

/** The value that an insert wanted to write, for the update that a conflict makes of it. */
export function excluded(column: SQLiteColumn): SQL {
  return sql`excluded.${nameOf(column)}`;
}

/**
 * An expression as it stands, for the selection of one table: there drizzle takes the tables' names away from the columns
 * of an expression, and a subquery's own column would hide the selected table's.
 */
export function qualified<Value>(expression: SQL<Value>): SQL<Value> {
  return sql<Value>`${expression}`;
}

/** That a column has one of some values, as one parameter, since D1 allows 100 per statement. */
export function isAmong(column: SQLiteColumn, values: readonly string[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/**
 * An object in a JSON column with some fields changed, also of objects in it: the others are as they are when the statement
 * runs, so that concurrent changes don't overwrite each other, or by default. Null deletes a field; what is no JSON counts as
 * nothing.
 */
export function patchedJson(
  column: SQLiteColumn,
  { defaults, patch }: { defaults: object; patch: object },
): SQL {
  const stored = sql`iif(json_valid(${column}), ${column}, '{}')`;
  return sql`json_patch(json_patch(${JSON.stringify(defaults)}, ${stored}), ${JSON.stringify(patch)})`;
}

/** Rows as one parameter, since D1 allows 100 per statement: what a query reads them from, and each row's fields. */
export function jsonRows<Row extends object>(rows: readonly Row[]) {
  return {
    source: sql`json_each(${JSON.stringify(rows)})`,
    field: (name: keyof Row & string): SQL => sql`(value ->> ${sql.raw(`'${name}'`)})`,
  };
}
