import type * as z from "zod/mini";
import type { DriverOwner } from "../../../../db/shapes/profile.ts";
import { versionOf, type Versioned } from "../../../../db/shapes/versioned.ts";
import type { DriverState } from "../../../engine/types.ts";
import { machineFields, objectFields, type LinkSession, type StoredEarnings } from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

export type MachineField = keyof typeof machineFields;
type ObjectField = keyof typeof objectFields;
type ObjectValue<Field extends ObjectField> = z.output<(typeof objectFields)[Field]["shape"]>;

const MACHINE_FIELDS = Object.keys(machineFields) as readonly MachineField[];

/** The machine's fields, each a row under its own name, and what the object keeps of its own beside them. */
export class StateTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  /** The prefix of attempt ids as it is stored; null where it is not yet. */
  #storedKeyPrefix: string | null = null;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** The machine's fields as they were last saved, without those that never were; and which could not be read. */
  load(): { fields: Partial<DriverState>; lost: ReadonlySet<MachineField> } {
    const rows = new Map(
      this.#sql
        .exec<StoredRow & { key: string }>(`SELECT key, value, version FROM state`)
        .toArray()
        .map((row) => [row.key, row]),
    );
    const lost = new Set<MachineField>();
    const fields = MACHINE_FIELDS.flatMap((field) => {
      const row = rows.get(field);
      if (!row) return [];
      const versioned: Versioned<unknown> = machineFields[field];
      const found = this.#parse(versioned, field, row);
      if (!found) lost.add(field);
      return found ? [[field, found.value]] : [];
    });
    const known = Object.fromEntries(fields) as Partial<DriverState>;
    this.#storedKeyPrefix = known.keyPrefix ?? null;
    return { fields: known, lost };
  }

  /** Writes the fields that differ between two states, by reference: an idle poll writes nothing. */
  save(before: DriverState, after: DriverState): void {
    for (const field of MACHINE_FIELDS) {
      const isSaved = field === "keyPrefix" ? this.#isPrefixSaved(after) : before[field] === after[field];
      if (isSaved) continue;
      this.#write(field, JSON.stringify(after[field]), versionOf(machineFields[field]));
      if (field === "keyPrefix") this.#storedKeyPrefix = after.keyPrefix;
    }
  }

  /** A state that was never saved has its prefix already. One that no attempt was made with need not be remembered. */
  #isPrefixSaved({ keyPrefix, attemptSeq }: DriverState): boolean {
    return this.#storedKeyPrefix === null ? attemptSeq === 0 : this.#storedKeyPrefix === keyPrefix;
  }

  /** Everything was deleted. */
  forget(): void {
    this.#storedKeyPrefix = null;
  }

  owner(): DriverOwner | null {
    return this.#load("owner", objectFields.owner);
  }

  linkSession(): LinkSession | null {
    return this.#load("linkSession", objectFields.linkSession);
  }

  /** What the platform last said that the driver earned. */
  earnings(): StoredEarnings | null {
    return this.#load("earnings", objectFields.earnings);
  }

  /** The platform's tokens, sealed. */
  sealedTokens(): string | null {
    return this.#load("tokens", objectFields.tokens);
  }

  /** What was sealed in the tokens' row could not be read: the driver is signed out. */
  setTokensAside(error: unknown): void {
    const row = this.#find("tokens");
    if (!row) return;
    this.#unreadable.setAside(row, { table: "state", key: "tokens" }, error);
    this.write("tokens", null);
  }

  /** Keeps a value of the object's own; null takes it away. */
  write<Field extends ObjectField>(field: Field, value: ObjectValue<Field> | null): void {
    if (value === null) this.#delete(field);
    else this.#write(field, JSON.stringify(value), versionOf(objectFields[field]));
  }

  /** Whether anything is stored: false of an object that was only just made. */
  hasRows(): boolean {
    return this.#sql.exec(`SELECT 1 FROM state LIMIT 1`).toArray().length > 0;
  }

  #load<Value>(field: ObjectField, versioned: Versioned<Value>): Value | null {
    const row = this.#find(field);
    return row ? (this.#parse(versioned, field, row)?.value ?? null) : null;
  }

  #find(field: ObjectField): StoredRow | null {
    const [row] = this.#sql
      .exec<StoredRow>(`SELECT value, version FROM state WHERE key = ?`, field)
      .toArray();
    return row ?? null;
  }

  /** A field that can't be read begins anew: its row would be in the way of the next start, too. */
  #parse<Value>(versioned: Versioned<Value>, key: string, row: StoredRow): { value: Value } | null {
    const found = this.#unreadable.parse(versioned, row, { table: "state", key });
    if (!found) this.#delete(key);
    return found;
  }

  #write(key: string, value: string, version: number): void {
    this.#sql.exec(
      `INSERT INTO state (key, value, version) VALUES (?1, ?2, ?3)
       ON CONFLICT (key) DO UPDATE SET value = ?2, version = ?3`,
      key,
      value,
      version,
    );
  }

  #delete(key: string): void {
    this.#sql.exec(`DELETE FROM state WHERE key = ?`, key);
  }
}
