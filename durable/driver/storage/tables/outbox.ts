import type { EpochMs } from "../../../../db/shapes/units.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import { storedRows, type OutboxItem } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

export type OutboxRow = { id: number; item: OutboxItem; tries: number };

/** The fields of the driver's record in D1 that changed. */
export type RecordChange = Extract<OutboxItem, { kind: "record_changed" }>["change"];

/** Copies for D1, texts and push messages that are still to be sent. */
export class OutboxTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  /** When the next row is due. Asked at each alarm, so it is kept in memory; undefined while it must be read. */
  #nextAt: EpochMs | null | undefined = undefined;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Queues an item to be sent when it is due. */
  add(item: OutboxItem, dueAt: EpochMs, tries = 0): void {
    this.#nextAt = undefined;
    this.#sql.exec(
      `INSERT INTO outbox (value, due_at, tries, version) VALUES (?, ?, ?, ?)`,
      JSON.stringify(item),
      dueAt,
      tries,
      versionOf(storedRows.outboxItem),
    );
  }

  /** The due rows, oldest first. Malformed rows are removed, since they would stay due forever. */
  due(now: EpochMs): OutboxRow[] {
    const nextAt = this.nextAt();
    if (nextAt === null || nextAt > now) return [];
    return this.#read(
      `SELECT id, value, version, tries FROM outbox WHERE due_at <= ? ORDER BY id LIMIT 50`,
      now,
    );
  }

  /** All changes of the driver's record that are queued, due or not, oldest first. */
  recordChanges(): { id: number; change: RecordChange }[] {
    return this.#ofKind("record_changed").flatMap(({ id, item }) =>
      item.kind === "record_changed" ? { id, change: item.change } : [],
    );
  }

  /** All platform sessions that are still to be ended, due or not, oldest first. */
  sessionEnds(): OutboxRow[] {
    return this.#ofKind("session_end");
  }

  #ofKind(kind: OutboxItem["kind"]): OutboxRow[] {
    return this.#read(
      `SELECT id, value, version, tries FROM outbox
       WHERE CASE WHEN json_valid(value) THEN value ->> '$.kind' END = ? ORDER BY id`,
      kind,
    );
  }

  #read(query: string, ...bindings: (number | string)[]): OutboxRow[] {
    return this.#sql
      .exec<StoredRow & { id: number; tries: number }>(query, ...bindings)
      .toArray()
      .flatMap((row) => {
        const found = this.#unreadable.parse(storedRows.outboxItem, row, { table: "outbox", key: row.id });
        if (found) return [{ id: row.id, tries: row.tries, item: found.value }];
        this.remove(row.id);
        return [];
      });
  }

  /** Whether a row is still there, and due. */
  isDue(id: number, now: EpochMs): boolean {
    return this.#sql.exec(`SELECT id FROM outbox WHERE id = ? AND due_at <= ?`, id, now).toArray().length > 0;
  }

  /** Clears what is cached of a storage that was deleted. */
  forget(): void {
    this.#nextAt = undefined;
  }

  nextAt(): EpochMs | null {
    if (this.#nextAt === undefined)
      this.#nextAt = this.#sql.exec<{ at: number | null }>(`SELECT min(due_at) AS at FROM outbox`).one().at;
    return this.#nextAt;
  }

  /** Replaces an item that is still queued. */
  replace(id: number, item: OutboxItem): void {
    this.#sql.exec(
      `UPDATE outbox SET value = ?, version = ? WHERE id = ?`,
      JSON.stringify(item),
      versionOf(storedRows.outboxItem),
      id,
    );
  }

  remove(id: number): void {
    this.#nextAt = undefined;
    this.#sql.exec(`DELETE FROM outbox WHERE id = ?`, id);
  }

  /** Removes the text that waits for whether one of the pushes of this name is taken. */
  removeNeedless(name: string): void {
    this.#nextAt = undefined;
    this.#sql.exec(
      `DELETE FROM outbox WHERE CASE WHEN json_valid(value) THEN value ->> '$.unlessPushed' END = ?`,
      name,
    );
  }

  retry(id: number, dueAt: EpochMs): void {
    this.#nextAt = undefined;
    this.#sql.exec(`UPDATE outbox SET due_at = ?, tries = tries + 1 WHERE id = ?`, dueAt, id);
  }
}
