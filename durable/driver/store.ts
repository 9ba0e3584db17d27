import * as z from "zod/mini";
import { attempt, logEvent, type Attempt, type DriverState, type LogEvent } from "../engine/types.ts";
import { DAY_MS, type EpochMs, type OfferId } from "../engine/units.ts";
import type { PushSubscription } from "../push/push.ts";
import { earningsFacts, type EarningsFacts } from "./earnings.ts";
import { migrate } from "./schema.ts";
import {
  identity,
  linking,
  outboxItem,
  pushTarget,
  STORED_FIELDS,
  storedFields,
  verdict,
  type Identity,
  type Linking,
  type OutboxItem,
} from "./stored.ts";

/** So many browsers listen for one driver; the newest are kept. */
const BROWSERS_KEPT = 10;

/** How long the log is kept: the lists of passed-over and lost offers reach back so far. */
const LOG_KEPT_MS = 30 * DAY_MS;

/** What stands in `state` beside the machine's fields; null takes it away. */
const OWN_KEYS = ["identity", "linking", "tokens", "earnings"] as const;
type OwnKey = (typeof OWN_KEYS)[number];

export type EventRow = { seq: number; event: LogEvent };
export type ListName = "won" | "disliked" | "lost";
export type OutboxRow = { id: number; item: OutboxItem; tries: number };

/** The object's SQLite: rows in, parsed values out. Every method is synchronous, so what stands between two awaits is one transaction. */
export class Store {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    migrate(storage);
  }

  /** Leaves nothing, and is ready for whoever comes again. */
  async wipe(): Promise<void> {
    await this.#storage.deleteAlarm();
    await this.#storage.deleteAll();
    migrate(this.#storage);
  }

  /** The machine as it was last saved over `initial`, with `memory` as a restart leaves it. */
  load(initial: DriverState): DriverState {
    const rows = this.#sql.exec<{ key: string; value: string }>(`SELECT key, value FROM state`).toArray();
    const saved = new Map(rows.map((row) => [row.key, row.value]));
    const fields = STORED_FIELDS.flatMap((field) => {
      const value = saved.get(field);
      return value === undefined ? [] : [[field, z.parse(storedFields[field], JSON.parse(value))]];
    });
    const verdicts = this.#sql.exec<{ value: string }>(`SELECT value FROM verdicts`).toArray();
    const open = this.#sql.exec<{ value: string }>(`SELECT value FROM attempts WHERE open = 1`).toArray();
    return {
      ...initial,
      ...(Object.fromEntries(fields) as Partial<DriverState>),
      verdicts: new Map(
        verdicts
          .map((row) => z.parse(verdict, JSON.parse(row.value)))
          .map((found) => [found.offer.offerId, found]),
      ),
      openAttempts: new Map(
        open.map((row) => z.parse(attempt, JSON.parse(row.value))).map((found) => [found.attemptId, found]),
      ),
    };
  }

  /** Writes what differs between two states, by reference: an idle poll writes nothing. */
  save(before: DriverState, after: DriverState): void {
    for (const field of STORED_FIELDS) {
      if (before[field] !== after[field]) this.write(field, after[field]);
    }
    if (before.verdicts !== after.verdicts) this.#saveVerdicts(before.verdicts, after.verdicts);
    if (before.openAttempts !== after.openAttempts)
      this.#saveAttempts(before.openAttempts, after.openAttempts);
  }

  #saveVerdicts(before: DriverState["verdicts"], after: DriverState["verdicts"]): void {
    for (const [offerId, found] of after) {
      if (before.get(offerId) === found) continue;
      this.#sql.exec(
        `INSERT INTO verdicts (offer_id, value) VALUES (?1, ?2) ON CONFLICT (offer_id) DO UPDATE SET value = ?2`,
        offerId,
        JSON.stringify(found),
      );
    }
    for (const offerId of before.keys()) {
      if (!after.has(offerId)) this.#sql.exec(`DELETE FROM verdicts WHERE offer_id = ?`, offerId);
    }
  }

  #saveAttempts(before: DriverState["openAttempts"], after: DriverState["openAttempts"]): void {
    for (const [id, found] of after) {
      if (before.get(id) !== found) this.#writeAttempt(found, 1);
    }
    for (const id of before.keys()) {
      if (!after.has(id)) this.#sql.exec(`UPDATE attempts SET open = 0 WHERE attempt_id = ?`, id);
    }
  }

  #writeAttempt(found: Attempt, open: 0 | 1): void {
    this.#sql.exec(
      `INSERT INTO attempts (attempt_id, value, open) VALUES (?1, ?2, ?3)
       ON CONFLICT (attempt_id) DO UPDATE SET value = ?2, open = ?3`,
      found.attemptId,
      JSON.stringify(found),
      open,
    );
  }

  /** Appends to the log and answers each event with its place. */
  append(events: readonly LogEvent[]): EventRow[] {
    return events.map((event) => {
      const filed = file(event);
      if (filed.list === "disliked") {
        // A list shows the latest word on an offer, not each revision of it.
        this.#sql.exec(
          `UPDATE events SET list = NULL WHERE list = 'disliked' AND offer_id = ?`,
          filed.offerId,
        );
      }
      const { seq } = this.#sql
        .exec<{ seq: number }>(
          `INSERT INTO events (at, list, offer_id, cents, value) VALUES (?, ?, ?, ?, ?) RETURNING seq`,
          event.at,
          filed.list,
          filed.offerId,
          filed.cents,
          JSON.stringify(event),
        )
        .one();
      if (event.kind === "attempt_settled") this.#writeAttempt(event.attempt, 0);
      return { seq, event };
    });
  }

  lastSeq(): number {
    return this.#sql.exec<{ seq: number }>(`SELECT coalesce(max(seq), 0) AS seq FROM events`).one().seq;
  }

  /** What came after `seq`, oldest first; null where that is more than `limit` or older than `since`. */
  eventsAfter(seq: number, { limit, since }: { limit: number; since: EpochMs }): EventRow[] | null {
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
  log({ after, limit }: { after: number; limit: number }): EventRow[] {
    return this.#events(`SELECT seq, value FROM events WHERE seq > ? ORDER BY seq LIMIT ?`, after, limit);
  }

  /** The latest judged offers and settled attempts, newest first. */
  feed(limit: number): EventRow[] {
    return this.#events(
      `SELECT seq, value FROM events WHERE list IS NOT NULL ORDER BY seq DESC LIMIT ?`,
      limit,
    );
  }

  /** One page of a list, newest first, from before `cursor`. */
  list(name: ListName, { cursor, limit }: { cursor: number; limit: number }): EventRow[] {
    return this.#events(
      `SELECT seq, value FROM events WHERE list = ? AND seq < ? ORDER BY seq DESC LIMIT ?`,
      name,
      cursor,
      limit,
    );
  }

  /** How many entries each list got since an instant, and what the won ones pay. */
  figuresSince(since: EpochMs): {
    captured: number;
    passedOver: number;
    gone: number;
    capturedCents: number;
  } {
    const rows = this.#sql
      .exec<{ list: ListName; entries: number; cents: number }>(
        `SELECT list, count(*) AS entries, sum(cents) AS cents FROM events WHERE list IS NOT NULL AND at >= ? GROUP BY list`,
        since,
      )
      .toArray();
    const of = (name: ListName) => rows.find((row) => row.list === name);
    return {
      captured: of("won")?.entries ?? 0,
      passedOver: of("disliked")?.entries ?? 0,
      gone: of("lost")?.entries ?? 0,
      capturedCents: of("won")?.cents ?? 0,
    };
  }

  /** Drops what is older than the log is kept. */
  prune(now: EpochMs): void {
    this.#sql.exec(`DELETE FROM events WHERE at < ?`, now - LOG_KEPT_MS);
  }

  enqueue(item: OutboxItem, dueAt: EpochMs, tries = 0): void {
    this.#sql.exec(
      `INSERT INTO outbox (value, due_at, tries) VALUES (?, ?, ?)`,
      JSON.stringify(item),
      dueAt,
      tries,
    );
  }

  /** What is due, oldest first. */
  outboxDue(now: EpochMs): OutboxRow[] {
    return this.#sql
      .exec<{ id: number; value: string; tries: number }>(
        `SELECT id, value, tries FROM outbox WHERE due_at <= ? ORDER BY id LIMIT 50`,
        now,
      )
      .toArray()
      .map((row) => ({ id: row.id, tries: row.tries, item: z.parse(outboxItem, JSON.parse(row.value)) }));
  }

  nextOutboxAt(): EpochMs | null {
    return this.#sql.exec<{ at: number | null }>(`SELECT min(due_at) AS at FROM outbox`).one().at;
  }

  outboxDone(id: number): void {
    this.#sql.exec(`DELETE FROM outbox WHERE id = ?`, id);
  }

  outboxAgain(id: number, dueAt: EpochMs): void {
    this.#sql.exec(`UPDATE outbox SET due_at = ?, tries = tries + 1 WHERE id = ?`, dueAt, id);
  }

  /** A browser listens from now on; past the limit, the one that came longest ago does no more. */
  addBrowser(target: PushSubscription): void {
    this.dropBrowser(target.endpoint);
    this.#sql.exec(
      `INSERT INTO push_subscriptions (endpoint, value) VALUES (?, ?)`,
      target.endpoint,
      JSON.stringify(target),
    );
    this.#sql.exec(
      `DELETE FROM push_subscriptions WHERE id NOT IN (SELECT id FROM push_subscriptions ORDER BY id DESC LIMIT ?)`,
      BROWSERS_KEPT,
    );
  }

  dropBrowser(endpoint: string): void {
    this.#sql.exec(`DELETE FROM push_subscriptions WHERE endpoint = ?`, endpoint);
  }

  /** Every browser that listens, or the one at an address. */
  browsers(endpoint: string | null = null): PushSubscription[] {
    return this.#sql
      .exec<{ value: string }>(
        `SELECT value FROM push_subscriptions WHERE ?1 IS NULL OR endpoint = ?1 ORDER BY id`,
        endpoint,
      )
      .toArray()
      .map((row) => z.parse(pushTarget, JSON.parse(row.value)));
  }

  /** True the first time a ticket is shown; its id is remembered until it has expired anyway. */
  useTicket(id: string, expiresAt: EpochMs, now: EpochMs): boolean {
    this.#sql.exec(`DELETE FROM used_tickets WHERE expires_at < ?`, now);
    return (
      this.#sql
        .exec(
          `INSERT INTO used_tickets (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id`,
          id,
          expiresAt,
        )
        .toArray().length === 1
    );
  }

  identity(): Identity | null {
    return this.#read("identity", identity);
  }

  linking(): Linking | null {
    return this.#read("linking", linking);
  }

  /** What the platform last said that the driver earned. */
  earnings(): EarningsFacts | null {
    return this.#read("earnings", earningsFacts);
  }

  /** When a block that we captured starts; null where the log does not know it (any more). */
  startOfWon(blockId: string): EpochMs | null {
    const [row] = this.#sql
      .exec<{ at: number }>(
        `SELECT value ->> '$.attempt.outcome.block.startsAt' AS at FROM events
         WHERE list = 'won' AND value ->> '$.attempt.outcome.block.blockId' = ?`,
        blockId,
      )
      .toArray();
    return row?.at ?? null;
  }

  /** The platform's tokens, sealed. */
  sealedTokens(): string | null {
    return this.#read("tokens", z.string());
  }

  write(key: OwnKey | (typeof STORED_FIELDS)[number], value: unknown): void {
    if (value === null && OWN_KEYS.some((own) => own === key)) {
      this.#sql.exec(`DELETE FROM state WHERE key = ?`, key);
      return;
    }
    this.#sql.exec(
      `INSERT INTO state (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2`,
      key,
      JSON.stringify(value),
    );
  }

  #read<T>(key: string, schema: z.ZodMiniType<T>): T | null {
    const [row] = this.#sql.exec<{ value: string }>(`SELECT value FROM state WHERE key = ?`, key).toArray();
    return row ? z.parse(schema, JSON.parse(row.value)) : null;
  }

  #events(query: string, ...bindings: (string | number)[]): EventRow[] {
    return this.#sql
      .exec<{ seq: number; value: string }>(query, ...bindings)
      .toArray()
      .map((row) => ({ seq: row.seq, event: z.parse(logEvent, JSON.parse(row.value)) }));
  }
}

/** Under which list an event stands, if any. A match is listed by how its attempt ends. */
function file(event: LogEvent): { list: ListName | null; offerId: OfferId | null; cents: number } {
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
