import { encodeListing, MAX_PAGE_CHARS, type ListingChange } from "../../../../db/shapes/log/listing.ts";
import type { EpochMs } from "../../../../db/shapes/units.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import { storedRows } from "../stored-shapes.ts";
import type { StoredRow } from "./unreadable-rows.ts";

/** The changes of some minutes as they are stored; `at` is their place, the instant of the last of them or a little later. */
export type ListingRow = StoredRow & { at: EpochMs };

/** The platform's listings, change by change. */
export class ListingTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  isEmpty(): boolean {
    return this.#sql.exec(`SELECT 1 FROM listings LIMIT 1`).toArray().length === 0;
  }

  append(changes: readonly ListingChange[]): void {
    const last = changes.at(-1);
    if (!last) return;
    // A place is unique, and after the ones before it also where the clock was set back.
    this.#sql.exec(
      `INSERT INTO listings (at, value, version)
       SELECT max(?1, coalesce((SELECT max(at) FROM listings), 0) + 1), ?2, ?3`,
      last.at,
      JSON.stringify(encodeListing(changes)),
      versionOf(storedRows.listing),
    );
  }

  /**
   * Rows after a place, oldest first, as they are stored: they are read where nothing waits. Fewer than `limit` where those
   * are long (`isLastPage`).
   */
  page({ after, limit }: { after: EpochMs; limit: number }): ListingRow[] {
    const rows: ListingRow[] = [];
    let chars = 0;
    const found = this.#sql.exec<ListingRow>(
      `SELECT at, value, version FROM listings WHERE at > ? ORDER BY at LIMIT ?`,
      after,
      limit,
    );
    for (const row of found) {
      chars += row.value.length;
      if (rows.length > 0 && chars > MAX_PAGE_CHARS) break;
      rows.push(row);
    }
    return rows;
  }

  prune(before: EpochMs): void {
    this.#sql.exec(`DELETE FROM listings WHERE at < ?`, before);
  }
}
