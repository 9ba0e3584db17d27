import { HOUR_MS, type EpochMs } from "../../../../db/shapes/units.ts";
import type { KnownSession } from "../../../runtime/driver-rpc.ts";

/** A session counts as live for as long as a socket that it opened would stay open. */
const CONFIRMED_MS = HOUR_MS;

/**
 * The sign-ins that were live when the database was last asked, so that a dashboard which lost its socket opens the
 * next without a query. They end with the word that ends a session's sockets. Stored, since a deployment loses all
 * sockets and the object's memory.
 */
export class LiveSessionTable {
  readonly #sql: SqlStorage;
  /** Another after each end of sessions, and in each life of the object: what the database says then may be of before. */
  #asking = crypto.randomUUID();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(sessionId: string, now: EpochMs): KnownSession {
    const [row] = this.#sql
      .exec<{ until: number }>(
        `SELECT until FROM live_sessions WHERE session_id = ? AND until > ?`,
        sessionId,
        now,
      )
      .toArray();
    // After the clock was set back, nothing is known of how long ago that was.
    if (row && row.until <= now + CONFIRMED_MS) return { known: true, until: row.until };
    return { known: false, asking: this.#asking };
  }

  /** The database has found a session live. Nothing is kept if sessions have ended since it was asked. */
  confirm(sessionId: string, asking: string, now: EpochMs): void {
    if (asking !== this.#asking) return;
    this.#sql.exec(`DELETE FROM live_sessions WHERE until <= ?`, now);
    this.#sql.exec(
      `INSERT INTO live_sessions (session_id, until) VALUES (?1, ?2) ON CONFLICT (session_id) DO UPDATE SET until = ?2`,
      sessionId,
      now + CONFIRMED_MS,
    );
  }

  /** Forgets all sessions but these. */
  keepSessions(live: readonly string[]): void {
    this.#asking = crypto.randomUUID();
    this.#sql.exec(
      `DELETE FROM live_sessions WHERE session_id NOT IN (SELECT value FROM json_each(?))`,
      JSON.stringify(live),
    );
  }
}

/** Tickets that were redeemed. */
export class UsedTicketTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Redeems a ticket; false if it was redeemed before. Its id is kept until the ticket expires. */
  redeem(id: string, expiresAt: EpochMs, now: EpochMs): boolean {
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
}
