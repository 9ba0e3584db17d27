import * as z from "zod/mini";
import type { Attempt } from "../../../../db/shapes/log/attempt.ts";
import { offer } from "../../../../db/shapes/work/offer.ts";
import { attemptId, epochMs, type AttemptId, type EpochMs } from "../../../../db/shapes/units.ts";
import { versionOf } from "../../../../db/shapes/versioned.ts";
import type { DriverState } from "../../../engine/state/types.ts";
import { storedRows } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

type Attempts = ReadonlyMap<AttemptId, Attempt>;

/** The minimum of an attempt that keeps its offer from being accepted twice. */
const remains = z.object({ offer, createdAt: z.optional(z.unknown()) });

/** The attempts that the machine keeps: open ones, and lost ones that may have had an effect. */
export type KeptAttempts = Pick<DriverState, "openAttempts" | "doubtedAttempts">;

/** Open attempts (`open` is 1) and doubted ones. Attempts that are settled for good are only in the log. */
export class AttemptTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  load(): KeptAttempts {
    const openAttempts = this.#load(1);
    const closed = [...this.#load(0)];
    const doubtedAttempts = closed.filter(([, { outcome }]) => outcome.status === "lost");
    // Earlier versions kept every attempt. Those that were won are not in doubt.
    for (const [id, { outcome }] of closed) if (outcome.status !== "lost") this.#delete(id);
    return { openAttempts, doubtedAttempts: new Map(doubtedAttempts) };
  }

  /**
   * Deletes doubted attempts at blocks that ended before an instant, which an object that never wakes still has, and
   * those that may have.
   */
  prune(before: EpochMs): void {
    this.#sql.exec(
      `DELETE FROM attempts WHERE open = 0
         AND coalesce(CASE WHEN json_valid(value) THEN value ->> '$.offer.endsAt' END, 0) < ?`,
      before,
    );
  }

  #load(open: 0 | 1): Attempts {
    const rows = this.#sql
      .exec<StoredRow & { attempt_id: string }>(
        `SELECT attempt_id, value, version FROM attempts WHERE open = ?`,
        open,
      )
      .toArray();
    const attempts = rows.flatMap((row) => {
      const place = { table: "attempts", key: row.attempt_id };
      const parsed = this.#unreadable.parse(storedRows.attempt, row, place)?.value ?? null;
      const attempt = parsed ?? (open === 1 ? salvage(row) : null);
      if (!attempt) this.#delete(row.attempt_id);
      return attempt ? [[attempt.attemptId, attempt] as const] : [];
    });
    return new Map(attempts);
  }

  save(before: KeptAttempts, after: KeptAttempts): void {
    this.#write(before.openAttempts, after.openAttempts, 1);
    this.#write(before.doubtedAttempts, after.doubtedAttempts, 0);
    const isKept = (id: AttemptId) => after.openAttempts.has(id) || after.doubtedAttempts.has(id);
    for (const id of [...before.openAttempts.keys(), ...before.doubtedAttempts.keys()])
      if (!isKept(id)) this.#delete(id);
  }

  #write(before: Attempts, after: Attempts, open: 0 | 1): void {
    for (const [id, attempt] of after) {
      if (before.get(id) === attempt) continue;
      this.#sql.exec(
        `INSERT INTO attempts (attempt_id, value, open, version) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (attempt_id) DO UPDATE SET value = ?2, open = ?3, version = ?4`,
        id,
        JSON.stringify(attempt),
        open,
        versionOf(storedRows.attempt),
      );
    }
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
    place: null,
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
