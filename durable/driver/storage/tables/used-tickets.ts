import type { EpochMs } from "../../../../db/shapes/units.ts";

/** The tickets that were shown already. */
export class UsedTicketTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** True the first time a ticket is shown; its id is remembered until it has expired anyway. */
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
