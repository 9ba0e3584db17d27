import type { EpochMs } from "../../../../db/shapes/units.ts";

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
