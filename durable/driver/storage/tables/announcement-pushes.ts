import type { AnnouncementPushes } from "../../../../db/shapes/announcement.ts";
import type { EpochMs } from "../../../../db/shapes/units.ts";

/** How the pushes of each announcement fare. One that a crash interrupts in the instant of sending stays pending. */
export class AnnouncementPushTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Notes that an announcement goes to so many browsers. */
  begin(id: string, queued: number, now: EpochMs): void {
    this.#sql.exec(
      `INSERT INTO announcement_pushes (id, queued, sent, failed, at) VALUES (?, ?, 0, 0, ?) ON CONFLICT DO NOTHING`,
      id,
      queued,
      now,
    );
  }

  /** Counts a push that needs no further try. */
  end(id: string, isSent: boolean): void {
    const column = isSent ? "sent" : "failed";
    this.#sql.exec(`UPDATE announcement_pushes SET ${column} = ${column} + 1 WHERE id = ?`, id);
  }

  /** All zero for one that went to no browser. */
  of(id: string): AnnouncementPushes {
    const [row] = this.#sql
      .exec<{ queued: number; sent: number; failed: number }>(
        `SELECT queued, sent, failed FROM announcement_pushes WHERE id = ?`,
        id,
      )
      .toArray();
    if (!row) return { sent: 0, failed: 0, pending: 0 };
    const { queued, sent, failed } = row;
    return { sent, failed, pending: Math.max(0, queued - sent - failed) };
  }

  prune(before: EpochMs): void {
    this.#sql.exec(`DELETE FROM announcement_pushes WHERE at < ?`, before);
  }
}
