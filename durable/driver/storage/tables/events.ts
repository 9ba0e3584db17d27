import type { BlockList, LogEntry, LogEvent } from "../../../../db/shapes/driver-log.ts";
import type { EpochMs, OfferId } from "../../../../db/shapes/units.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import { storedRows } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

type EventRow = StoredRow & { seq: number };

/** The driver's event log, and the lists read from it. An unreadable event stays in its row and is skipped. */
export class EventTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Appends events and returns them with their sequence numbers. */
  append(events: readonly LogEvent[]): LogEntry[] {
    return events.map((event) => {
      const entry = toListEntry(event);
      if (entry.list === "disliked") {
        // The list shows the latest verdict on an offer, not every revision.
        this.#sql.exec(
          `UPDATE events SET list = NULL WHERE list = 'disliked' AND offer_id = ?`,
          entry.offerId,
        );
      }
      const { seq } = this.#sql
        .exec<{ seq: number }>(
          `INSERT INTO events (at, list, offer_id, cents, value, version) VALUES (?, ?, ?, ?, ?, ?) RETURNING seq`,
          event.at,
          entry.list,
          entry.offerId,
          entry.cents,
          JSON.stringify(event),
          versionOf(storedRows.event),
        )
        .one();
      return { seq, event };
    });
  }

  lastSeq(): number {
    return this.#sql.exec<{ seq: number }>(`SELECT coalesce(max(seq), 0) AS seq FROM events`).one().seq;
  }

  /** Events after `seq`, oldest first; null where there are more than `limit`, some are older than `since`, or some are missing. */
  after(seq: number, { limit, since }: { limit: number; since: EpochMs }): LogEntry[] | null {
    const rows = this.#rows(
      `SELECT seq, value, version FROM events WHERE seq > ?1 ORDER BY seq LIMIT ?2`,
      seq,
      limit + 1,
    );
    const entries = this.#parse(rows);
    const isComplete = rows.length <= limit && entries.length === rows.length;
    const [oldest] = entries;
    return isComplete && (!oldest || (oldest.seq === seq + 1 && oldest.event.at >= since)) ? entries : null;
  }

  /** The whole log, a page at a time, oldest first. */
  page({ after, limit }: { after: number; limit: number }): LogEntry[] {
    return this.#collect(`SELECT seq, value, version FROM events WHERE seq > ?1 ORDER BY seq LIMIT ?2`, {
      cursor: after,
      limit,
    });
  }

  /** The latest judged offers and settled attempts, newest first. */
  feed(limit: number): LogEntry[] {
    return this.#collect(
      `SELECT seq, value, version FROM events WHERE list IS NOT NULL AND seq < ?1 ORDER BY seq DESC LIMIT ?2`,
      { cursor: Number.MAX_SAFE_INTEGER, limit },
    );
  }

  /** One page of a list, newest first, from before `cursor`. */
  list(name: BlockList, { cursor, limit }: { cursor: number; limit: number }): LogEntry[] {
    return this.#collect(
      `SELECT seq, value, version FROM events WHERE list = ?3 AND seq < ?1 ORDER BY seq DESC LIMIT ?2`,
      { cursor, limit },
      name,
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

  /** Drops what happened before an instant. */
  prune(before: EpochMs): void {
    this.#sql.exec(`DELETE FROM events WHERE at < ?`, before);
  }

  /**
   * When a captured block starts; null where the log doesn't have it (anymore). SQL sees events before they
   * are upcast, so a path that changes in a later version has to be read in both places.
   */
  wonBlockStartsAt(blockId: string): EpochMs | null {
    const rows = this.#sql
      .exec<{ at: SqlStorageValue }>(
        `SELECT block ->> '$.startsAt' AS at FROM (
           SELECT CASE WHEN json_valid(value) THEN value -> '$.attempt.outcome.block' END AS block
           FROM events WHERE list = 'won'
         ) WHERE block ->> '$.blockId' = ?`,
        blockId,
      )
      .toArray();
    return rows.map(({ at }) => at).find((at) => typeof at === "number") ?? null;
  }

  /**
   * Reads one page. The query takes a cursor and a limit. Skipped events are replaced by those after them,
   * so that only the last page is short: callers take a short page for the end.
   */
  #collect(
    query: string,
    { cursor, limit }: { cursor: number; limit: number },
    ...bindings: string[]
  ): LogEntry[] {
    const entries: LogEntry[] = [];
    for (let from = cursor; entries.length < limit;) {
      const wanted = limit - entries.length;
      const rows = this.#rows(query, from, wanted, ...bindings);
      entries.push(...this.#parse(rows));
      const last = rows.at(-1);
      if (!last || rows.length < wanted) break;
      from = last.seq;
    }
    return entries;
  }

  #rows(query: string, ...bindings: (string | number)[]): EventRow[] {
    return this.#sql.exec<EventRow>(query, ...bindings).toArray();
  }

  #parse(rows: readonly EventRow[]): LogEntry[] {
    return rows.flatMap((row) => {
      const found = this.#unreadable.parse(storedRows.event, row, { table: "events", key: row.seq });
      return found ? [{ seq: row.seq, event: found.value }] : [];
    });
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
