import type { DatabaseSync } from "node:sqlite";

/** A statement's table, and for an update the columns that it sets. */
const WRITES = [
  /^\s*INSERT(?:\s+OR\s+\w+)?\s+INTO\s+["`]?(?<table>\w+)/i,
  /^\s*DELETE\s+FROM\s+["`]?(?<table>\w+)/i,
  /^\s*UPDATE(?:\s+OR\s+\w+)?\s+["`]?(?<table>\w+)["`]?\s+SET\s+(?<set>[^]*?)(?:\sWHERE\s|$)/i,
];

/**
 * Counts the rows that statements write as the price list does: each row of a table, and one more for each index that the
 * statement touches. An upsert is counted as an insert, a partial index as a whole one: never less than what is billed.
 */
export class BilledRows {
  readonly #database: DatabaseSync;
  readonly #weights = new Map<string, number>();
  readonly byTable = new Map<string, number>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  get total(): number {
    return [...this.byTable.values()].reduce((sum, rows) => sum + rows, 0);
  }

  /** Runs a statement and counts what it wrote. */
  count<Result>(query: string, run: () => Result): Result {
    const found = WRITES.map((pattern) => pattern.exec(query)?.groups).find((groups) => groups !== undefined);
    if (!found) return run();
    const before = this.#changes();
    const result = run();
    const rows = this.#changes() - before;
    const table = found["table"] ?? "";
    const weight = this.#weights.get(query) ?? 1 + this.#indexesOf(table, found["set"]);
    this.#weights.set(query, weight);
    this.byTable.set(table, (this.byTable.get(table) ?? 0) + rows * weight);
    return result;
  }

  clear(): void {
    this.byTable.clear();
  }

  #changes(): number {
    return Number(this.#database.prepare("SELECT total_changes() AS rows").get()?.["rows"] ?? 0);
  }

  /** How many indexes a write to a table touches; of an update, those of the columns that it sets. */
  #indexesOf(table: string, set: string | undefined): number {
    const isWithoutRowId = this.#database
      .prepare(`SELECT 1 FROM pragma_table_list WHERE name = ? AND wr = 1`)
      .get(table);
    const indexes = this.#database
      .prepare(`SELECT name, origin FROM pragma_index_list(?)`)
      .all(table)
      // A table without row ids is its own primary key.
      .filter(({ origin }) => !(isWithoutRowId && origin === "pk"));
    if (set === undefined) return indexes.length;
    const touches = (name: unknown) =>
      this.#database
        .prepare(`SELECT name FROM pragma_index_info(?)`)
        .all(String(name))
        .some(
          ({ name: column }) => column !== null && new RegExp(`\\b${String(column)}\\b["\`]?\\s*=`).test(set),
        );
    return indexes.filter(({ name }) => touches(name)).length;
  }
}
