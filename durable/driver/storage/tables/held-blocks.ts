import { CALENDAR_PAST_DAYS } from "../../../../db/shapes/work/calendar.ts";
import type { Block } from "../../../../db/shapes/work/offer.ts";
import { DAY_MS, type EpochMs } from "../../../../db/shapes/units.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import { storedRows } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

type HeldRow = StoredRow & { block_id: string; starts_at: EpochMs; changed_at: EpochMs; sequence: number };

/** A block, how often it was changed since it was first seen, and when last. */
export type HeldBlock = { block: Block; sequence: number; changedAt: EpochMs };

/**
 * The blocks that the driver held in the last year and holds now, taken by hand or captured. One that is given back, or that
 * the platform withdraws, is removed; one that is over stays. Written only where something changed.
 */
export class HeldBlockTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /**
   * Follows a listing of the held blocks.
   * @param isWhole whether a block that is missing from it is no longer held
   */
  follow(held: readonly Block[], { isWhole, now }: { isWhole: boolean; now: EpochMs }): void {
    const known = new Map(this.#rows().map((row) => [row.block_id, row]));
    const shown = held.filter(({ status }) => status !== "forfeited");
    const shownIds = new Set<string>(shown.map(({ blockId }) => blockId));
    const listedIds = new Set<string>(held.map(({ blockId }) => blockId));
    for (const block of shown) this.#put(block, known.get(block.blockId), now);
    for (const row of known.values()) {
      if (shownIds.has(row.block_id)) continue;
      if (listedIds.has(row.block_id) || (isWhole && row.starts_at > now)) this.#remove(row.block_id);
    }
  }

  /** All of them, the earliest start first. Malformed rows are skipped. */
  list(): HeldBlock[] {
    return this.#rows().flatMap((row) => {
      const place = { table: "held_blocks", key: row.block_id };
      const found = this.#unreadable.parse(storedRows.heldBlock, row, place);
      return found ? [{ block: found.value, sequence: row.sequence, changedAt: row.changed_at }] : [];
    });
  }

  prune(now: EpochMs): void {
    this.#sql.exec(`DELETE FROM held_blocks WHERE starts_at < ?`, now - CALENDAR_PAST_DAYS * DAY_MS);
  }

  #rows(): HeldRow[] {
    return this.#sql
      .exec<HeldRow>(
        `SELECT block_id, starts_at, changed_at, sequence, value, version FROM held_blocks ORDER BY starts_at, block_id`,
      )
      .toArray();
  }

  #put(block: Block, known: HeldRow | undefined, now: EpochMs): void {
    const value = JSON.stringify(block);
    if (known?.value === value) return;
    this.#sql.exec(
      `INSERT OR REPLACE INTO held_blocks (block_id, starts_at, changed_at, sequence, value, version) VALUES (?, ?, ?, ?, ?, ?)`,
      block.blockId,
      block.startsAt,
      now,
      known ? known.sequence + 1 : 0,
      value,
      versionOf(storedRows.heldBlock),
    );
  }

  #remove(blockId: string): void {
    this.#sql.exec(`DELETE FROM held_blocks WHERE block_id = ?`, blockId);
  }
}
