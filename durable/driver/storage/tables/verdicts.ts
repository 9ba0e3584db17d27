import type { OfferId } from "../../../../db/shapes/units.ts";
import type { Verdict } from "../../../../db/shapes/work/verdict.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import { storedRows } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

type Verdicts = ReadonlyMap<OfferId, Verdict>;

/** Verdicts on offers that are listed or have not expired. */
export class VerdictTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** Malformed verdicts are dropped; their offers are judged again. */
  load(): Verdicts {
    const rows = this.#sql
      .exec<StoredRow & { offer_id: string }>(`SELECT offer_id, value, version FROM verdicts`)
      .toArray();
    return new Map(
      rows.flatMap((row) => {
        const found = this.#unreadable.parse(storedRows.verdict, row, {
          table: "verdicts",
          key: row.offer_id,
        });
        if (found) return [[found.value.offer.offerId, found.value] as const];
        this.#delete(row.offer_id);
        return [];
      }),
    );
  }

  save(before: Verdicts, after: Verdicts): void {
    for (const [offerId, verdict] of after) {
      if (before.get(offerId) === verdict) continue;
      this.#sql.exec(
        `INSERT INTO verdicts (offer_id, value, version) VALUES (?1, ?2, ?3)
         ON CONFLICT (offer_id) DO UPDATE SET value = ?2, version = ?3`,
        offerId,
        JSON.stringify(verdict),
        versionOf(storedRows.verdict),
      );
    }
    for (const offerId of before.keys()) if (!after.has(offerId)) this.#delete(offerId);
  }

  #delete(offerId: string): void {
    this.#sql.exec(`DELETE FROM verdicts WHERE offer_id = ?`, offerId);
  }
}
