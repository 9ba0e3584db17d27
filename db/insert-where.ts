import { getTableColumns, is, SQL, sql, type Param } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Db } from "./client.ts";
import { jsonRows } from "./expressions.ts";

/** A row to insert, by the names of its columns: a value or an expression for each. One that is left out gets its default. */
export type InsertRow<Table extends SQLiteTable> = {
  [Field in keyof Table["$inferInsert"]]: Table["$inferInsert"][Field] | SQL;
};

/** Inserts a row if a condition holds. In a batch, which is D1's only transaction, it lets one statement depend on another. */
export function insertWhere<Table extends SQLiteTable>(
  db: Db,
  table: Table,
  row: InsertRow<Table>,
  condition: SQL,
) {
  return insertFrom(db, table, row, sql`WHERE ${condition}`);
}

/**
 * Inserts a row for each row of a query.
 * @param row expressions over the query's columns, or values
 * @param query the query from its `FROM` on. It needs a `WHERE` where `onConflict…` follows: SQLite takes `ON` for a join's
 */
export function insertFrom<Table extends SQLiteTable>(
  db: Db,
  table: Table,
  row: InsertRow<Table>,
  query: SQL,
) {
  const given = new Map<string, unknown>(Object.entries(row));
  // Drizzle names all columns of the table in this order.
  const values = Object.entries(getTableColumns(table)).map(([field, column]) =>
    toExpression(given.get(field), column),
  );
  return db.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} ${query}`);
}

/**
 * Inserts rows as one parameter if a condition holds, each column from the field of its name. For numbers, texts, booleans
 * and nulls, as SQLite stores them; a field that is left out is stored as null.
 */
export function insertRows<Table extends SQLiteTable>(
  db: Db,
  table: Table,
  rows: readonly Table["$inferInsert"][],
  condition: SQL,
) {
  const { source, field } = jsonRows<Record<string, unknown>>(rows);
  const values = Object.keys(getTableColumns(table)).map(field);
  return db.insert(table).select(sql`SELECT ${sql.join(values, sql`, `)} FROM ${source} WHERE ${condition}`);
}

function toExpression(value: unknown, column: SQLiteColumn): SQL | Param {
  const stored: unknown = value === undefined ? (column.default ?? null) : value;
  return is(stored, SQL) ? stored : sql.param(stored, column);
}
