import type * as z from "zod/mini";
import type { DriverOwner } from "../../../../db/shapes/profile.ts";
import type { LocalDate } from "../../../../db/shapes/work/local-date.ts";
import type { ShiftCheck } from "../../../../db/shapes/work/checks.ts";
import type { CalendarFeed } from "../../../../db/shapes/work/calendar.ts";
import type { EpochMs, OfferId } from "../../../../db/shapes/units.ts";
import { versionOf, type Versioned } from "../../../../db/shapes/versioned.ts";
import type { DriverState } from "../../../engine/state/types.ts";
import type { TextDay } from "../../notify/text-day.ts";
import type { Told } from "../../notify/told.ts";
import {
  machineFields,
  objectFields,
  type LinkSession,
  type StoredCityShares,
  type StoredCounts,
  type StoredEarnings,
  type StoredIntervals,
  type ReturnedDay,
  type StoredLostTime,
} from "../stored-shapes.ts";
import type { StoredRow, UnreadableRows } from "./unreadable-rows.ts";

export type MachineField = keyof typeof machineFields;
type ObjectField = keyof typeof objectFields;
type ObjectValue<Field extends ObjectField> = z.output<(typeof objectFields)[Field]["shape"]>;

const MACHINE_FIELDS = Object.keys(machineFields) as readonly MachineField[];

/** Key-value table: the machine's fields, and the object's own values. */
export class StateTable {
  readonly #sql: SqlStorage;
  readonly #unreadable: UnreadableRows;
  /** The stored prefix of attempt ids; null if it is not stored yet. */
  #storedKeyPrefix: string | null = null;
  /** Read at each alarm, so it is kept in memory; undefined until it was read. */
  #textDay: TextDay | null | undefined = undefined;
  /** Read at each poll, so they are kept in memory; undefined until they were read. */
  #sealedTokens: string | null | undefined = undefined;

  constructor(sql: SqlStorage, unreadable: UnreadableRows) {
    this.#sql = sql;
    this.#unreadable = unreadable;
  }

  /** The machine's saved fields, and the names of those that could not be parsed. */
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

  /** Writes the fields that changed between two states, compared by reference. An idle poll writes nothing. */
  save(before: DriverState, after: DriverState): void {
    for (const field of MACHINE_FIELDS) {
      const isSaved = field === "keyPrefix" ? this.#isPrefixSaved(after) : before[field] === after[field];
      if (isSaved) continue;
      this.#write(field, JSON.stringify(after[field]), versionOf(machineFields[field]));
      if (field === "keyPrefix") this.#storedKeyPrefix = after.keyPrefix;
    }
  }

  /** A new state already has a prefix, which needn't be stored before the first attempt uses it. */
  #isPrefixSaved({ keyPrefix, attemptSeq }: DriverState): boolean {
    return this.#storedKeyPrefix === null ? attemptSeq === 0 : this.#storedKeyPrefix === keyPrefix;
  }

  /** Clears what is cached of a storage that was deleted. */
  forget(): void {
    this.#storedKeyPrefix = null;
    this.#textDay = undefined;
    this.#sealedTokens = undefined;
  }

  /** The driver's texts since the last evening. */
  textDay(): TextDay | null {
    if (this.#textDay === undefined) this.#textDay = this.#load("textDay", objectFields.textDay);
    return this.#textDay;
  }

  writeTextDay(day: TextDay | null): void {
    this.write("textDay", day);
    this.#textDay = day;
  }

  /** The platform's own id of the driver that is linked. */
  platformAccount(): string | null {
    return this.#load("platformAccount", objectFields.platformAccount);
  }

  /** When each kind of notification was last sent. */
  told(): Told {
    return this.#load("told", objectFields.told) ?? {};
  }

  owner(): DriverOwner | null {
    return this.#load("owner", objectFields.owner);
  }

  linkSession(): LinkSession | null {
    return this.#load("linkSession", objectFields.linkSession);
  }

  /** The earnings last fetched from the platform. */
  earnings(): StoredEarnings | null {
    return this.#load("earnings", objectFields.earnings);
  }

  /** When the driver's warehouses were last read from the platform. */
  warehousesReadAt(): EpochMs | null {
    return this.#load("warehousesReadAt", objectFields.warehousesReadAt);
  }

  /** The driver's calendar address. */
  calendar(): CalendarFeed | null {
    return this.#load("calendar", objectFields.calendar);
  }

  /** The last start of hours that had its check. */
  shiftCheck(): ShiftCheck | null {
    return this.#load("shiftCheck", objectFields.shiftCheck);
  }

  /** The Monday of the last week whose figures were sent. */
  weekTold(): LocalDate | null {
    return this.#load("weekTold", objectFields.weekTold);
  }

  /** When the last browser that listened was lost. */
  pushLostAt(): EpochMs | null {
    return this.#load("pushLostAt", objectFields.pushLostAt);
  }

  /** The offers of the last listing whose changes are stored. */
  listedOffers(): readonly OfferId[] {
    return this.#load("listedOffers", objectFields.listedOffers) ?? [];
  }

  /** The shares of the city's figures that were added; null before the first time. */
  cityShares(): StoredCityShares | null {
    return this.#load("cityShares", objectFields.cityShares);
  }

  /** The fleet's counts that were not sent yet. */
  fleetCounts(): StoredCounts | null {
    return this.#load("fleetCounts", objectFields.fleetCounts);
  }

  /** The time in which the system could not work. */
  lostTime(): StoredLostTime | null {
    return this.#load("lostTime", objectFields.lostTime);
  }

  /** The days given back of which the driver was not told yet. */
  returnedDays(): ReturnedDay[] {
    return this.#load("returnedDays", objectFields.returnedDays) ?? [];
  }

  /** When the object last did what it does at intervals. */
  intervals(): StoredIntervals | null {
    return this.#load("intervals", objectFields.intervals);
  }

  /** The platform's tokens, sealed. */
  sealedTokens(): string | null {
    if (this.#sealedTokens === undefined) this.#sealedTokens = this.#load("tokens", objectFields.tokens);
    return this.#sealedTokens;
  }

  /** Sets aside tokens whose content could not be parsed. The driver is signed out. */
  setTokensAside(error: unknown): void {
    const row = this.#find("tokens");
    if (!row) return;
    this.#unreadable.setAside(row, { table: "state", key: "tokens" }, error);
    this.write("tokens", null);
  }

  /** Stores one of the object's own values; null deletes it. */
  write<Field extends ObjectField>(field: Field, value: ObjectValue<Field> | null): void {
    if (field === "tokens") this.#sealedTokens = undefined;
    if (value === null) this.#delete(field);
    else this.#write(field, JSON.stringify(value), versionOf(objectFields[field]));
  }

  /** Whether anything is stored; false for a new object. */
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

  /** Deletes a malformed row, which would fail again on the next start. */
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
