/**
 * Rows in memory, written through to SQLite. Rows are replaced, never mutated. Beyond `cap` rows the oldest is
 * dropped.
 */
export class Table<Row> {
  readonly #sql: SqlStorage;
  readonly #name: string;
  readonly #cap: number;
  readonly #rows = new Map<string, Row>();

  constructor(sql: SqlStorage, name: string, cap = 10_000) {
    this.#sql = sql;
    this.#name = name;
    this.#cap = cap;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS entries (name TEXT NOT NULL, id TEXT NOT NULL, row TEXT NOT NULL, UNIQUE (name, id))",
    );
    for (const { id, row } of sql.exec<{ id: string; row: string }>(
      "SELECT id, row FROM entries WHERE name = ? ORDER BY rowid",
      name,
    )) {
      this.#rows.set(id, JSON.parse(row) as Row);
    }
  }

  get(id: string): Row | undefined {
    return this.#rows.get(id);
  }

  /** Oldest first. */
  values(): Row[] {
    return [...this.#rows.values()];
  }

  /** With their ids, oldest first. */
  entries(): [string, Row][] {
    return [...this.#rows.entries()];
  }

  set(id: string, row: Row): void {
    this.#rows.set(id, row);
    this.#sql.exec(
      "INSERT INTO entries (name, id, row) VALUES (?, ?, ?) ON CONFLICT (name, id) DO UPDATE SET row = excluded.row",
      this.#name,
      id,
      JSON.stringify(row),
    );
    if (this.#rows.size > this.#cap) {
      const [oldest] = this.#rows.keys();
      if (oldest !== undefined) this.delete(oldest);
    }
  }

  delete(id: string): boolean {
    if (!this.#rows.delete(id)) return false;
    this.#sql.exec("DELETE FROM entries WHERE name = ? AND id = ?", this.#name, id);
    return true;
  }

  clear(): void {
    this.#rows.clear();
    this.#sql.exec("DELETE FROM entries WHERE name = ?", this.#name);
  }
}
