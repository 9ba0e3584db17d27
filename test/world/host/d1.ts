import { URL } from "node:url";
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { BilledRows } from "../counts/billed-rows.ts";
import { bindD1, type Trip } from "../../support/runtime/node-d1.ts";

/** D1 in memory, with the real migrations. */
export class SimulatedD1 {
  readonly db = new DatabaseSync(":memory:");
  readonly billedRows = new BilledRows(this.db);
  readonly #statements = new Map<string, StatementSync>();

  constructor(migrations: URL) {
    for (const file of readdirSync(migrations)
      .filter((name) => name.endsWith(".sql"))
      .toSorted()) {
      this.db.exec(readFileSync(new URL(file, migrations), "utf8"));
    }
  }

  /** Rows inserted, updated and deleted by whoever did. */
  get rowsChanged(): number {
    return Number(this.db.prepare("SELECT total_changes() AS rows").get()?.["rows"] ?? 0);
  }

  /** Empties every table, for the next world. Triggers, which let nobody delete from the books, are away meanwhile. */
  clear(): void {
    const listed = (type: string) =>
      this.db.prepare(`SELECT name, sql FROM sqlite_master WHERE type = ?`).all(type);
    const triggers = listed("trigger");
    for (const { name } of triggers) this.db.exec(`DROP TRIGGER "${String(name)}"`);
    for (const { name } of listed("table")) this.db.exec(`DELETE FROM "${String(name)}"`);
    for (const { sql } of triggers) this.db.exec(String(sql));
    this.billedRows.clear();
  }

  all(query: string, ...params: SQLInputValue[]): Record<string, unknown>[] {
    return this.#statement(query).all(...params);
  }

  /** A binding whose every call makes a trip. */
  bind(trip: Trip, onStatement?: () => void): D1Database {
    // A stand-in is only as much of the binding as drizzle uses.
    const count = <Result>(query: string, run: () => Result) => this.billedRows.count(query, run);
    return bindD1(this.db, trip, onStatement, count) as unknown as D1Database;
  }

  #statement(query: string): StatementSync {
    let statement = this.#statements.get(query);
    if (!statement) {
      statement = this.db.prepare(query);
      this.#statements.set(query, statement);
    }
    return statement;
  }
}
