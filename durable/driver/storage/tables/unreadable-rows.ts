import * as z from "zod/mini";
import { parseVersioned, type Versioned } from "../../../../db/shapes/versioned.ts";
import type { EpochMs } from "../../../../db/shapes/units.ts";
import { errorName } from "../../../runtime/describe-error.ts";
import type { Log } from "../../../runtime/log.ts";

/** Past this, unreadable rows of a table are neither kept nor logged. */
const MAX_ROWS_PER_TABLE = 50;
/** In characters; longer values are truncated. */
const MAX_VALUE_LENGTH = 65_536;

/** A value's JSON and the version of its shape. */
export type StoredRow = { version: number; value: string };
/** Identifies a row in the log, so the key must not be a secret. */
export type RowPlace = { table: string; key: string | number };

/**
 * Parses the rows of all tables, and keeps a copy of each row that can't be parsed, for a later deployment or
 * an operator to repair. An unreadable row never makes the object throw.
 */
export class UnreadableRows {
  readonly #sql: SqlStorage;
  readonly #log: Log;
  readonly #now: () => EpochMs;
  /** Contains the driver's id. */
  readonly #objectName: string | null;

  constructor(
    sql: SqlStorage,
    { log, now, objectName }: { log: Log; now: () => EpochMs; objectName: string | null },
  ) {
    this.#sql = sql;
    this.#log = log;
    this.#now = now;
    this.#objectName = objectName;
  }

  /** Null where the row is unreadable: then it is set aside here. The table decides whether to delete the row. */
  parse<Value>(versioned: Versioned<Value>, row: StoredRow, place: RowPlace): { value: Value } | null {
    try {
      return { value: parseVersioned(versioned, { version: row.version, value: JSON.parse(row.value) }) };
    } catch (error) {
      this.setAside(row, place, error);
      return null;
    }
  }

  /** Keeps a copy of a row and logs it, once per row and value. */
  setAside({ version, value }: StoredRow, { table, key }: RowPlace, error: unknown): void {
    if (this.#isFull(table)) return;
    const isNew =
      this.#sql
        .exec(
          `INSERT INTO unreadable_rows (source, key, version, value, error, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
           ON CONFLICT (source, key) DO UPDATE SET version = ?3, value = ?4, error = ?5, at = ?6 WHERE value <> ?4
           RETURNING key`,
          table,
          String(key),
          version,
          value.slice(0, MAX_VALUE_LENGTH),
          errorName(error),
          this.#now(),
        )
        .toArray().length > 0;
    if (!isNew) return;
    this.#log("error", "driver.storage.unreadable", {
      objectName: this.#objectName,
      table,
      key: String(key),
      version,
      error: errorName(error),
      at: pathOf(error),
    });
  }

  count(): number {
    return this.#sql.exec<{ rows: number }>(`SELECT count(*) AS rows FROM unreadable_rows`).one().rows;
  }

  prune(before: EpochMs): void {
    this.#sql.exec(`DELETE FROM unreadable_rows WHERE at < ?`, before);
  }

  #isFull(table: string): boolean {
    const { rows } = this.#sql
      .exec<{ rows: number }>(`SELECT count(*) AS rows FROM unreadable_rows WHERE source = ?`, table)
      .one();
    return rows >= MAX_ROWS_PER_TABLE;
  }
}

/** The path of the field that failed to parse; null where the value isn't JSON. */
function pathOf(error: unknown): string | null {
  return error instanceof z.core.$ZodError ? (error.issues[0]?.path.map(String).join(".") ?? null) : null;
}
