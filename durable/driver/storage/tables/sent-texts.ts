import { DAY_MS, type EpochMs } from "../../../../db/shapes/units.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import { storedRows } from "../stored-shapes.ts";
import type { TextAbout } from "../text-about.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

/** As long as D1 knows of a text whether it arrived. */
const KEPT_MS = 3 * DAY_MS;

const SELECT = `SELECT id, value, version, at FROM sent_texts`;

/** A text by its id, and what it was about. */
export type ResendableText = { id: string; at: EpochMs; about: TextAbout };
type SentTextRow = StoredRow & { id: string; at: EpochMs };

/** The subjects of the driver's latest texts, by the ids in the gateway's reports. */
export class SentTextTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  add(id: string, about: TextAbout, now: EpochMs): void {
    this.#sql.exec(
      `INSERT INTO sent_texts (id, value, version, at) VALUES (?, ?, ?, ?)`,
      id,
      JSON.stringify(about),
      versionOf(storedRows.textAbout),
      now,
    );
  }

  /** Null for one that is too old, and for what is no news of the driver's: a code, a notice of the account. */
  find(id: string, now: EpochMs): TextAbout | null {
    const [row] = this.#sql
      .exec<SentTextRow>(`${SELECT} WHERE id = ? AND at > ?`, id, now - KEPT_MS)
      .toArray();
    return row ? (this.#parse(row)?.about ?? null) : null;
  }

  /** Oldest first. */
  list(now: EpochMs): ResendableText[] {
    return this.#sql
      .exec<SentTextRow>(`${SELECT} WHERE at > ? ORDER BY at`, now - KEPT_MS)
      .toArray()
      .flatMap((row) => this.#parse(row) ?? []);
  }

  prune(now: EpochMs): void {
    this.#sql.exec(`DELETE FROM sent_texts WHERE at <= ?`, now - KEPT_MS);
  }

  #parse({ id, at, ...row }: SentTextRow): ResendableText | null {
    const found = this.#unreadable.parse(storedRows.textAbout, row, { table: "sent_texts", key: id });
    if (!found) this.#sql.exec(`DELETE FROM sent_texts WHERE id = ?`, id);
    return found && { id, at, about: found.value };
  }
}
