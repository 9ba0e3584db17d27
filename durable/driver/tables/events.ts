import * as z from "zod/mini";
import { logEvent, type BlockList, type LogEntry, type LogEvent } from "../../../db/shapes/driver-log.ts";
import { DAY_MS, type EpochMs, type OfferId } from "../../../db/shapes/units.ts";

/** How long the log is kept: the lists of passed-over and lost offers reach back so far. */
const LOG_RETENTION_MS = 30 * DAY_MS;

/** The log, and the lists that are read from it. */
export class EventTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Appends to the log and answers each event with its place. */
  append(events: readonly LogEvent[]): LogEntry[] {
    return events.map((event) => {
      const entry = toListEntry(event);
      if (entry.list === "disliked") {
        // A list shows the latest word on an offer, not each revision of it.
        this.#sql.exec(
          `UPDATE events SET list = NULL WHERE list = 'disliked' AND offer_id = ?`,
          entry.offerId,
        );
      }
      const { seq } = this.#sql
        .exec<{ seq: number }>(
          `INSERT INTO events (at, list, offer_id, cents, value) VALUES (?, ?, ?, ?, ?) RETURNING seq`,
          event.at,
          entry.list,
          entry.offerId,
          entry.cents,
          JSON.stringify(event),
        )
        .one();
      return { seq, event };
    });
  }

  lastSeq(): number {
    return this.#sql.exec<{ seq: number }>(`SELECT coalesce(max(seq), 0) AS seq FROM events`).one().seq;
  }

  /** What came after `seq`, oldest first; null where that is more than `limit` or older than `since`. */
  after(seq: number, { limit, since }: { limit: number; since: EpochMs }): LogEntry[] | null {
    const rows = this.#events(
      `SELECT seq, value FROM events WHERE seq > ? ORDER BY seq LIMIT ?`,
      seq,
      limit + 1,
    );
    const first = rows[0];
    if (rows.length > limit || (first && (first.event.at < since || first.seq !== seq + 1))) return null;
    return rows;
  }

  /** The whole log, a page at a time, oldest first. */
  page({ after, limit }: { after: number; limit: number }): LogEntry[] {
    return this.#events(`SELECT seq, value FROM events WHERE seq > ? ORDER BY seq LIMIT ?`, after, limit);
  }

  /** The latest judged offers and settled attempts, newest first. */
  feed(limit: number): LogEntry[] {
    return this.#events(
      `SELECT seq, value FROM events WHERE list IS NOT NULL ORDER BY seq DESC LIMIT ?`,
      limit,
    );
  }

  /** One page of a list, newest first, from before `cursor`. */
  list(name: BlockList, { cursor, limit }: { cursor: number; limit: number }): LogEntry[] {
    return this.#events(
      `SELECT seq, value FROM events WHERE list = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
      name,
      cursor,
      limit,
    );
  }

  /** How many entries each list got since an instant, and what the won ones pay. */
  totalsSince(since: EpochMs): {
    captured: number;
    passedOver: number;
    gone: number;
    capturedCents: number;
  } {
    const rows = this.#sql
      .exec<{ list: BlockList; entries: number; cents: number }>(
        `SELECT list, count(*) AS entries, sum(cents) AS cents FROM events WHERE list IS NOT NULL AND at >= ? GROUP BY list`,
        since,
      )
      .toArray();
    const of = (name: BlockList) => rows.find((row) => row.list === name);
    return {
      captured: of("won")?.entries ?? 0,
      passedOver: of("disliked")?.entries ?? 0,
      gone: of("lost")?.entries ?? 0,
      capturedCents: of("won")?.cents ?? 0,
    };
  }

  /** Drops what is older than the log is kept. */
  prune(now: EpochMs): void {
    this.#sql.exec(`DELETE FROM events WHERE at < ?`, now - LOG_RETENTION_MS);
  }

  /** When a block that we captured starts; null where the log does not know it (any more). */
  wonBlockStartsAt(blockId: string): EpochMs | null {
    const [row] = this.#sql
      .exec<{ at: number }>(
        `SELECT value ->> '$.attempt.outcome.block.startsAt' AS at FROM events
         WHERE list = 'won' AND value ->> '$.attempt.outcome.block.blockId' = ?`,
        blockId,
      )
      .toArray();
    return row?.at ?? null;
  }

  #events(query: string, ...bindings: (string | number)[]): LogEntry[] {
    return this.#sql
      .exec<{ seq: number; value: string }>(query, ...bindings)
      .toArray()
      .map((row) => ({ seq: row.seq, event: z.parse(logEvent, JSON.parse(row.value)) }));
  }
}

/** Under which list an event stands, if any. A match is listed by how its attempt ends. */
function toListEntry(event: LogEvent): { list: BlockList | null; offerId: OfferId | null; cents: number } {
  switch (event.kind) {
    case "offer_judged": {
      const { offerId, payCents } = event.offer;
      return { list: event.reasons.length > 0 ? "disliked" : null, offerId, cents: payCents };
    }
    case "attempt_settled": {
      const { outcome, offer } = event.attempt;
      if (outcome.status === "won")
        return { list: "won", offerId: offer.offerId, cents: outcome.block.payCents };
      return { list: "lost", offerId: offer.offerId, cents: offer.payCents };
    }
    case "attempt_started":
      return { list: null, offerId: event.attempt.offer.offerId, cents: 0 };
    case "phase_changed":
    case "silence_suspected":
    case "service_ending":
      return { list: null, offerId: null, cents: 0 };
  }
}
