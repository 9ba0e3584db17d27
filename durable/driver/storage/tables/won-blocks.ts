import {
  wonDayOf,
  type CapturedBlock,
  type WonBlock,
  type WonDay,
  type WonPosition,
  type WonSum,
} from "../../../../db/shapes/log/driver-log.ts";
import type { Block } from "../../../../db/shapes/work/offer.ts";
import { DAY_MS, MINUTE_MS, type BlockId, type EpochMs } from "../../../../db/shapes/units.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import { storedRows } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

type WonRow = StoredRow & { block_id: string; seq: number; at: EpochMs };

const SUMS = `currency, count(*) AS blocks, sum(cents) AS payCents, sum(minutes) AS minutes`;

/**
 * The driver's captured blocks, for good, each once: one that was captured again after it was given back stands where it was
 * captured last. Malformed rows stay and are skipped; the sums count them.
 */
export class WonBlockTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /**
   * Stores a capture, unless the same or a later one of the block is stored. Idempotent.
   * @param seq its place in the log; below zero where no place of the log is
   * @returns the days whose sums changed
   */
  add({ attemptId, block }: CapturedBlock, seq: number): number[] {
    const known = this.#find(block.blockId);
    if (known && known.at >= block.acceptedAt) return [];
    this.#write({ attemptId, block }, seq);
    return [...new Set([...(known ? [wonDayOf(known.at)] : []), wonDayOf(block.acceptedAt)])];
  }

  /**
   * Notes what became of blocks, of which others than captured ones are left alone. One whose answer had not named it stands
   * under its offer's id, until a listing names it. @returns the days whose sums changed
   */
  follow(blocks: readonly Block[]): number[] {
    const days = blocks.flatMap((block) => {
      const row = this.#find(block.blockId) ?? this.#find(block.offerId);
      const known = row && this.#parse(row);
      if (!known || isSame(known.block, block)) return [];
      const isNamed = row.block_id === block.blockId;
      if (!isNamed && known.block.offerId !== block.offerId) return [];
      if (!isNamed) this.#sql.exec(`DELETE FROM won_blocks WHERE block_id = ?`, row.block_id);
      // The instant of the capture is its place in the list.
      this.#write({ ...known, block: { ...block, acceptedAt: known.block.acceptedAt } }, row.seq);
      return [wonDayOf(row.at)];
    });
    return [...new Set(days)];
  }

  /** One page after a position, newest first. Skipped rows are replaced by later ones, so that only the last page is short. */
  page({ after, limit }: { after: WonPosition; limit: number }): (CapturedBlock & WonBlock)[] {
    const found: (CapturedBlock & WonBlock)[] = [];
    for (let from = after; found.length < limit;) {
      const rows = this.#sql
        .exec<WonRow>(
          `SELECT block_id, seq, at, value, version FROM won_blocks WHERE (at, block_id) < (?1, ?2)
           ORDER BY at DESC, block_id DESC LIMIT ?3`,
          from.at,
          from.blockId,
          limit - found.length,
        )
        .toArray();
      found.push(
        ...rows.flatMap((row) => {
          const captured = this.#parse(row);
          return captured ? [{ ...captured, seq: row.seq, at: row.at }] : [];
        }),
      );
      const last = rows.at(-1);
      if (!last) break;
      from = { at: last.at, blockId: last.block_id as BlockId };
    }
    return found;
  }

  /** The sums of all of them, by currency, that of the newest first. */
  sums(): WonSum[] {
    return this.#sql
      .exec<WonSum>(`SELECT ${SUMS} FROM won_blocks GROUP BY currency ORDER BY max(at) DESC`)
      .toArray();
  }

  /** The sums of each day, or of one day alone. */
  days(only?: number): WonDay[] {
    const [from, to] =
      only === undefined ? [0, Number.MAX_SAFE_INTEGER] : [only * DAY_MS, (only + 1) * DAY_MS];
    return this.#sql
      .exec<WonDay>(
        `SELECT at / ${DAY_MS} AS day, ${SUMS} FROM won_blocks WHERE at >= ? AND at < ? GROUP BY day, currency`,
        from,
        to,
      )
      .toArray();
  }

  #find(blockId: string): WonRow | null {
    const [row] = this.#sql
      .exec<WonRow>(`SELECT block_id, seq, at, value, version FROM won_blocks WHERE block_id = ?`, blockId)
      .toArray();
    return row ?? null;
  }

  #parse(row: WonRow): CapturedBlock | null {
    const place = { table: "won_blocks", key: row.block_id };
    return this.#unreadable.parse(storedRows.capturedBlock, row, place)?.value ?? null;
  }

  #write({ attemptId, block }: CapturedBlock, seq: number): void {
    const isPaid = block.status !== "forfeited";
    this.#sql.exec(
      `INSERT OR REPLACE INTO won_blocks (block_id, seq, at, currency, cents, minutes, value, version)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      block.blockId,
      seq,
      block.acceptedAt,
      block.currency,
      isPaid ? block.payCents : 0,
      isPaid ? Math.floor((block.endsAt - block.startsAt) / MINUTE_MS) : 0,
      JSON.stringify({ attemptId, block }),
      versionOf(storedRows.capturedBlock),
    );
  }
}

/** Whether nothing but the instant of its capture differs, of which two answers of the platform may differ by a second. */
function isSame(one: Block, other: Block): boolean {
  return JSON.stringify({ ...one, acceptedAt: 0 }) === JSON.stringify({ ...other, acceptedAt: 0 });
}
