import * as z from "zod/mini";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { outboxItem, type OutboxItem } from "../stored-shapes.ts";

export type OutboxRow = { id: number; item: OutboxItem; tries: number };

/** What waits to be told to D1, to the driver's phone and to their browsers. */
export class OutboxTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** What waits from now on, and is sent once it is due. */
  add(item: OutboxItem, dueAt: EpochMs, tries = 0): void {
    this.#sql.exec(
      `INSERT INTO outbox (value, due_at, tries) VALUES (?, ?, ?)`,
      JSON.stringify(item),
      dueAt,
      tries,
    );
  }

  /** What is due, oldest first. */
  due(now: EpochMs): OutboxRow[] {
    return this.#sql
      .exec<{ id: number; value: string; tries: number }>(
        `SELECT id, value, tries FROM outbox WHERE due_at <= ? ORDER BY id LIMIT 50`,
        now,
      )
      .toArray()
      .map((row) => ({ id: row.id, tries: row.tries, item: z.parse(outboxItem, JSON.parse(row.value)) }));
  }

  nextAt(): EpochMs | null {
    return this.#sql.exec<{ at: number | null }>(`SELECT min(due_at) AS at FROM outbox`).one().at;
  }

  remove(id: number): void {
    this.#sql.exec(`DELETE FROM outbox WHERE id = ?`, id);
  }

  retry(id: number, dueAt: EpochMs): void {
    this.#sql.exec(`UPDATE outbox SET due_at = ?, tries = tries + 1 WHERE id = ?`, dueAt, id);
  }
}
