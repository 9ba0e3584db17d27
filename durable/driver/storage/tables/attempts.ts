import * as z from "zod/mini";
import type { Attempt } from "../../../../db/shapes/attempt.ts";
import { offer } from "../../../../db/shapes/offer.ts";
import { attemptId, epochMs, type AttemptId } from "../../../../db/shapes/units.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import { storedRows } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

type Attempts = ReadonlyMap<AttemptId, Attempt>;

/** The minimum of an attempt that keeps its offer from being accepted twice. */
const remains = z.object({ offer, createdAt: z.unknown() });

/** Attempts whose outcome is pending or unknown. Settled attempts are only in the log. */
export class AttemptTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  load(): Attempts {
    const rows = this.#sql
      .exec<StoredRow & { attempt_id: string }>(
        `SELECT attempt_id, value, version FROM attempts WHERE open = 1`,
      )
      .toArray();
    const attempts = rows.flatMap((row) => {
      const place = { table: "attempts", key: row.attempt_id };
      const attempt = this.#unreadable.parse(storedRows.attempt, row, place)?.value ?? salvage(row);
      if (!attempt) this.#delete(row.attempt_id);
      return attempt ? [[attempt.attemptId, attempt] as const] : [];
    });
    return new Map(attempts);
  }

  save(before: Attempts, after: Attempts): void {
    for (const [id, attempt] of after) {
      if (before.get(id) === attempt) continue;
      this.#sql.exec(
        `INSERT INTO attempts (attempt_id, value, open, version) VALUES (?1, ?2, 1, ?3)
         ON CONFLICT (attempt_id) DO UPDATE SET value = ?2, version = ?3`,
        id,
        JSON.stringify(attempt),
        versionOf(storedRows.attempt),
      );
    }
    for (const id of before.keys()) if (!after.has(id)) this.#delete(id);
  }

  /** Deletes settled attempts, which earlier versions kept. */
  prune(): void {
    this.#sql.exec(`DELETE FROM attempts WHERE open = 0`);
  }

  #delete(id: string): void {
    this.#sql.exec(`DELETE FROM attempts WHERE attempt_id = ?`, id);
  }
}

/**
 * Recovers a malformed attempt whose offer can still be parsed: its outcome counts as unknown, so that its time span
 * stays busy and the accept is repeated with the same idempotency key, for at least the offer's pay.
 */
function salvage({ attempt_id, value }: StoredRow & { attempt_id: string }): Attempt | null {
  const id = z.safeParse(attemptId, attempt_id);
  const found = z.safeParse(remains, parseJson(value));
  if (!id.success || !found.success) return null;
  const { offer } = found.data;
  const createdAt = z.safeParse(epochMs, found.data.createdAt).data ?? 0;
  return {
    attemptId: id.data,
    offer,
    payAtLeastCents: offer.payCents,
    createdAt,
    endedAt: null,
    outcome: { status: "unknown", tries: 1, triedAt: createdAt },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
