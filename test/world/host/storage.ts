import { BilledRows } from "../counts/billed-rows.ts";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

/** A transaction: everything that one turn of the object's code wrote. */
type Batch = { number: number; alarmBefore: number | null };

/**
 * The database of one object, in memory. A turn's writes are one transaction; it is durable only when the host says so,
 * and a crash rolls back the rest. Transactions become durable in order.
 */
export class ObjectDatabase {
  readonly #db = new DatabaseSync(":memory:");
  readonly billedRows = new BilledRows(this.#db);
  readonly #statements = new Map<string, StatementSync>();
  /** Open or not durable yet, oldest first. Each has a savepoint. */
  #batches: Batch[] = [];
  #isOpen = false;
  #numbers = 0;
  #durable = 0;
  alarm: number | null = null;
  rowsWritten = 0;
  alarmsSet = 0;

  exec(query: string, bindings: readonly SQLInputValue[]): Record<string, unknown>[] {
    if (!/^\s*SELECT/i.test(query)) this.touch();
    let statement = this.#statements.get(query);
    if (!statement) {
      statement = this.#db.prepare(query);
      this.#statements.set(query, statement);
    }
    const prepared = statement;
    return this.billedRows.count(query, () => prepared.all(...bindings));
  }

  get bytes(): number {
    const size = (name: string) => Number(this.#db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
    return size("page_count") * size("page_size");
  }

  setAlarm(at: number | null): void {
    this.touch();
    this.alarmsSet += 1;
    this.alarm = at;
  }

  /** Begins this turn's transaction, if none is open. */
  touch(): void {
    this.rowsWritten += 1;
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#numbers += 1;
    if (this.#batches.length === 0) this.#db.exec("BEGIN");
    this.#db.exec(`SAVEPOINT batch${this.#numbers}`);
    this.#batches.push({ number: this.#numbers, alarmBefore: this.alarm });
  }

  /** Ends the turn. @returns the number of its transaction, null if it wrote nothing */
  closeBatch(): number | null {
    if (!this.#isOpen) return null;
    this.#isOpen = false;
    return this.#numbers;
  }

  /** The latest transaction, if it is not durable yet. */
  get pending(): number | null {
    return this.#numbers > this.#durable ? this.#numbers : null;
  }

  get durable(): number {
    return this.#durable;
  }

  /** All transactions up to this one are durable. */
  confirm(number: number): void {
    this.#durable = Math.max(this.#durable, number);
    this.#batches = this.#batches.filter((batch) => batch.number > this.#durable);
    if (this.#batches.length === 0 && this.#db.isTransaction) this.#db.exec("COMMIT");
  }

  /** A crash: takes back what is not durable. */
  rollBack(): void {
    this.#isOpen = false;
    const [first] = this.#batches;
    if (!first) return;
    this.#db.exec(`ROLLBACK TO batch${first.number}`);
    this.#db.exec("COMMIT");
    this.alarm = first.alarmBefore;
    this.#batches = [];
    this.#durable = this.#numbers;
  }

  transaction<Result>(work: () => Result): Result {
    this.touch();
    this.#db.exec("SAVEPOINT inner");
    try {
      return work();
    } catch (error) {
      this.#db.exec("ROLLBACK TO inner");
      throw error;
    } finally {
      this.#db.exec("RELEASE inner");
    }
  }

  deleteAll(): void {
    this.touch();
    const tables = this.#db
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
      .all();
    for (const { name } of tables) this.#db.exec(`DROP TABLE "${String(name)}"`);
    this.alarm = null;
  }

  close(): void {
    this.#db.close();
  }
}
