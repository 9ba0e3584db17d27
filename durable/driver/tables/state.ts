import * as z from "zod/mini";
import { attempt, type Attempt } from "../../../db/shapes/attempt.ts";
import type { DriverState } from "../../engine/types.ts";
import { storedEarnings, type StoredEarnings } from "../earnings.ts";
import { driverOwner, type DriverOwner } from "../../../db/shapes/profile.ts";
import {
  linkSession,
  STORED_FIELDS,
  storedFields,
  type LinkSession,
  type StoredField,
} from "../stored-shapes.ts";
import { verdict } from "../../../db/shapes/verdict.ts";

/** What stands in `state` beside the machine's fields; null takes it away. */
const OBJECT_KEYS = ["identity", "linking", "tokens", "earnings"] as const;
type ObjectKey = (typeof OBJECT_KEYS)[number];

/** The machine as it is between two restarts: `state`, `verdicts` and `attempts`; and what the object keeps of its own beside it. */
export class StateTable {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
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

  /** Keeps an attempt; one that is not open any more is not loaded again. */
  #writeAttempt(found: Attempt, open: 0 | 1): void {
    this.#sql.exec(
      `INSERT INTO attempts (attempt_id, value, open) VALUES (?1, ?2, ?3)
       ON CONFLICT (attempt_id) DO UPDATE SET value = ?2, open = ?3`,
      found.attemptId,
      JSON.stringify(found),
      open,
    );
  }

  /** An attempt as it ended. */
  closeAttempt(found: Attempt): void {
    this.#writeAttempt(found, 0);
  }

  owner(): DriverOwner | null {
    return this.#load("identity", driverOwner);
  }

  linkSession(): LinkSession | null {
    return this.#load("linking", linkSession);
  }

  /** What the platform last said that the driver earned. */
  earnings(): StoredEarnings | null {
    return this.#load("earnings", storedEarnings);
  }

  /** The platform's tokens, sealed. */
  sealedTokens(): string | null {
    return this.#load("tokens", z.string());
  }

  write(key: ObjectKey | StoredField, value: unknown): void {
    if (value === null && OBJECT_KEYS.some((own) => own === key)) {
      this.#sql.exec(`DELETE FROM state WHERE key = ?`, key);
      return;
    }
    this.#sql.exec(
      `INSERT INTO state (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2`,
      key,
      JSON.stringify(value),
    );
  }

  #load<T>(key: string, schema: z.ZodMiniType<T>): T | null {
    const [row] = this.#sql.exec<{ value: string }>(`SELECT value FROM state WHERE key = ?`, key).toArray();
    return row ? z.parse(schema, JSON.parse(row.value)) : null;
  }
}
