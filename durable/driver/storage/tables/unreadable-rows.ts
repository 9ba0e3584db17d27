import * as z from "zod/mini";
import { parseVersioned, type Versioned } from "../../../../db/shapes/versioned.ts";
import type { EpochMs } from "../../../../db/shapes/units.ts";
import { errorName } from "../../../runtime/describe-error.ts";
import type { Log } from "../../../runtime/log.ts";

/** Unreadable rows per table that are kept and logged; further ones are only skipped. */
const MAX_ROWS_PER_TABLE = 50;
/** Longer values are truncated, in characters. */
const MAX_VALUE_LENGTH = 65_536;

/** A stored value: JSON and the version of its shape. */
export type StoredRow = { version: number; value: string };
/** The table and key of a row. Logged, so never a secret. */
export type RowPlace = { table: string; key: string | number };

/** A row of which a part was left out, or read as `other`. */
class ReadInPartError extends Error {
  override name = "ReadInPartError";
}

/**
 * Parses the rows of every table and keeps a copy of those that can't be parsed: a later deployment may be able to,
 * and until then they must not lock the driver out.
 */
export class UnreadableRows {
  readonly #sql: SqlStorage;
  readonly #log: Log;
  readonly #now: () => EpochMs;
  /** The object's name, which contains the driver's id. */
  readonly #objectName: string | null;
  /** The rows that were logged as read in part since the object woke: a list that is read at each message is logged once. */
  readonly #readInPart = new Set<string>();

  constructor(
    sql: SqlStorage,
    { log, now, objectName }: { log: Log; now: () => EpochMs; objectName: string | null },
  ) {
    this.#sql = sql;
    this.#log = log;
    this.#now = now;
    this.#objectName = objectName;
  }

  /** Parses a row's value; null if that fails, after keeping a copy. The table decides what to do with the row. */
  parse<Value>(versioned: Versioned<Value>, row: StoredRow, place: RowPlace): { value: Value } | null {
    try {
      const stored = { version: row.version, value: JSON.parse(row.value) };
      const value = parseVersioned(versioned, stored, (paths) => this.#noteReadInPart(row, place, paths));
      return { value };
    } catch (error) {
      this.setAside(row, place, error);
      return null;
    }
  }

  /** Keeps a copy and logs it, once per distinct value of a row. */
  setAside(row: StoredRow, { table, key }: RowPlace, error: unknown): void {
    if (!this.#keepCopy(row, { table, key }, error)) return;
    this.#log("error", "driver.storage.unreadable", {
      objectName: this.#objectName,
      table,
      key: String(key),
      version: row.version,
      error: errorName(error),
      at: pathOf(error),
    });
  }

  /**
   * Logs what a row has that only a later release can read. Rows of `state` are written again without it, so a copy is
   * kept of them; the others stay as they are.
   */
  #noteReadInPart(row: StoredRow, { table, key }: RowPlace, paths: readonly string[]): void {
    const place = `${table} ${key} ${paths.join(" ")}`;
    if (this.#readInPart.has(place) || this.#readInPart.size >= MAX_ROWS_PER_TABLE) return;
    this.#readInPart.add(place);
    if (table === "state") this.#keepCopy(row, { table, key }, new ReadInPartError());
    this.#log("warn", "driver.storage.read_in_part", {
      objectName: this.#objectName,
      table,
      key: String(key),
      version: row.version,
      unread: paths.length,
      at: paths[0] ?? null,
    });
  }

  /** @returns whether it is new, and there is room for it */
  #keepCopy({ version, value }: StoredRow, { table, key }: RowPlace, error: unknown): boolean {
    if (this.#isFull(table)) return false;
    return (
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
        .toArray().length > 0
    );
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

/** The path of the field that failed to parse; null if the text is not JSON. */
function pathOf(error: unknown): string | null {
  return error instanceof z.core.$ZodError ? (error.issues[0]?.path.map(String).join(".") ?? null) : null;
}
