import {
  LIST_OF,
  offerOutcomeOf,
  shownPay,
  type BlockList,
  type LogEntry,
  type LogEvent,
} from "../../../../db/shapes/log/driver-log.ts";
import { HOUR_MS, type EpochMs, type OfferId } from "../../../../db/shapes/units.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import type { LogPage } from "../../../runtime/log-list.ts";
import { storedRows } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

/** Entries stand in the order of their instants, but where the clock was set back by less than this. */
const CLOCK_SLACK_MS = HOUR_MS;

type EventRow = StoredRow & { seq: number };

/** The event log, and the lists that are queried from it. Malformed rows stay and are skipped. */
export class EventTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Appends to the log and returns each event with its `seq`. */
  append(events: readonly LogEvent[]): LogEntry[] {
    return events.map((event) => {
      const entry = toListEntry(event);
      if (entry.list === "disliked") {
        // The list shows only the latest verdict on an offer.
        this.#sql.exec(
          `UPDATE events SET list = NULL WHERE list = 'disliked' AND offer_id = ?`,
          entry.offerId,
        );
      }
      if (event.kind === "attempt_settled" && entry.list === "won") {
        // An attempt that was taken for lost turned out to be a capture.
        this.#sql.exec(
          `UPDATE events SET list = NULL WHERE list = 'lost' AND offer_id = ?1
             AND json_valid(value) AND value ->> '$.attempt.attemptId' = ?2`,
          entry.offerId,
          event.attempt.attemptId,
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

  /** Entries after `seq`, oldest first; null if they are more than `limit`, older than `since`, or have gaps. */
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

  /** One page of the log, oldest first. */
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

  /** One page of a list before `cursor`, and before an instant where one is given, newest first. */
  list(name: BlockList, { cursor, limit, before = Number.MAX_SAFE_INTEGER }: LogPage): LogEntry[] {
    return this.#collect(
      `SELECT seq, value, version FROM events WHERE list = ?3 AND seq < ?1 AND at < ?4 ORDER BY seq DESC LIMIT ?2`,
      { cursor, limit },
      name,
      before,
    );
  }

  /** How many entries a list has, from its index alone. */
  count(name: BlockList): number {
    return this.#sql
      .exec<{ entries: number }>(`SELECT count(*) AS entries FROM events WHERE list = ?`, name)
      .one().entries;
  }

  /**
   * The number of entries per list since an instant, and the pay of the won ones. Each snapshot asks, between polls, so it
   * reads from the end of the log, and nothing of the weeks before.
   */
  totalsSince(since: EpochMs): {
    captured: number;
    passedOver: number;
    gone: number;
    capturedCents: number;
  } {
    const rows = this.#sql
      .exec<{ list: BlockList; entries: number; cents: number }>(
        `SELECT list, count(*) AS entries, sum(cents) AS cents FROM events
         WHERE list IN ('won', 'disliked', 'lost') AND at >= ?1
           AND seq > coalesce((SELECT seq FROM events WHERE at < ?2 ORDER BY seq DESC LIMIT 1), 0)
         GROUP BY list`,
        since,
        since - CLOCK_SLACK_MS,
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

  /** Deletes events from before an instant. It reads from the log's begin, and nothing of what is kept. */
  prune(before: EpochMs): void {
    this.#sql.exec(
      `DELETE FROM events WHERE at < ?1
         AND seq < coalesce((SELECT seq FROM events WHERE at >= ?2 ORDER BY seq LIMIT 1), ?3)`,
      before,
      before + CLOCK_SLACK_MS,
      Number.MAX_SAFE_INTEGER,
    );
  }

  /**
   * The start of a captured block; null if it is not (or no longer) in the log. The JSON paths are the same in every
   * version of an event; if one moves, both must be queried.
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
   * A full page of parsable rows. The query takes a cursor and a limit; skipped rows are replaced by later ones, so
   * that only the last page is short.
   */
  #collect(
    query: string,
    { cursor, limit }: { cursor: number; limit: number },
    ...bindings: (string | number)[]
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

/** The list that an event belongs to, if any, with the pay that its totals count. */
function toListEntry(event: LogEvent): { list: BlockList | null; offerId: OfferId | null; cents: number } {
  const found = offerOutcomeOf(event);
  if (!found) return { list: null, offerId: null, cents: 0 };
  return { list: LIST_OF[found.outcome.kind], offerId: found.offer.offerId, cents: shownPay(found) };
}
