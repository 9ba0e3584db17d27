import type { EpochMs } from "../../db/shapes/units.ts";

/** One ticker calls so many objects; each other keeps alarms of its own. */
export const MAX_TICKED = 1_000;
/**
 * After a failed call, each doubling the wait: the object's own alarm has fired by the last. A call that is never
 * answered keeps its object from being called until it asks again, as it does at that alarm.
 */
const FIRST_RETRY_MS = 250;
const MAX_FAILURES = 9;
/** After a loss of memory all objects are called within this time, spread by chance. */
const SPREAD_MS = 400;

/** `at` is null while a call is under way. */
type Ticked = { at: EpochMs | null; failures: number };

type Life = { now: EpochMs; roll: () => number };

/**
 * The objects that one ticker calls, and when. Their names are stored, a row written as an object comes and as it goes;
 * the instants are in memory. After a loss of memory all are called soon: each knows whether it is due.
 */
export class TickList {
  readonly #sql: Pick<SqlStorage, "exec">;
  readonly #ticked = new Map<string, Ticked>();

  constructor(sql: Pick<SqlStorage, "exec">, { now, roll }: Life) {
    this.#sql = sql;
    sql.exec(`CREATE TABLE IF NOT EXISTS ticked (object_name TEXT PRIMARY KEY) WITHOUT ROWID`);
    const names = sql.exec<{ name: string }>(`SELECT object_name AS name FROM ticked`).toArray();
    for (const { name } of names)
      this.#ticked.set(name, { at: now + Math.floor(SPREAD_MS * roll()), failures: 0 });
  }

  get isEmpty(): boolean {
    return this.#ticked.size === 0;
  }

  /** An object wants to be called. @returns whether it is: there may be enough of them */
  add(objectName: string, at: EpochMs): boolean {
    if (!this.#ticked.has(objectName)) {
      if (this.#ticked.size >= MAX_TICKED) return false;
      this.#sql.exec(`INSERT INTO ticked (object_name) VALUES (?) ON CONFLICT DO NOTHING`, objectName);
    }
    this.#ticked.set(objectName, { at, failures: 0 });
    return true;
  }

  /** When the next call is due; null while all are under way. */
  nextAt(): EpochMs | null {
    let next: EpochMs | null = null;
    for (const { at } of this.#ticked.values()) if (at !== null && (next === null || at < next)) next = at;
    return next;
  }

  /** Takes up to so many objects whose call is due, the first to be due first. */
  take(now: EpochMs, limit: number): string[] {
    const due: { name: string; at: EpochMs }[] = [];
    for (const [name, { at }] of this.#ticked) if (at !== null && at <= now) due.push({ name, at });
    const taken = due
      .toSorted((one, other) => one.at - other.at)
      .slice(0, limit)
      .map(({ name }) => name);
    for (const name of taken)
      this.#ticked.set(name, { at: null, failures: this.#ticked.get(name)?.failures ?? 0 });
    return taken;
  }

  /**
   * A call has answered: when the next one is due, or null for none. An instant that the object asked for meanwhile
   * counts instead.
   * @returns when the object is called next, if the answer has changed that
   */
  answered(objectName: string, at: EpochMs | null): EpochMs | null {
    const ticked = this.#ticked.get(objectName);
    if (!ticked || ticked.at !== null) return null;
    if (at === null) this.#drop(objectName);
    else this.#ticked.set(objectName, { at, failures: 0 });
    return at;
  }

  /** A call has failed. @returns when it is tried again; null if it isn't */
  failed(objectName: string, now: EpochMs): EpochMs | null {
    const ticked = this.#ticked.get(objectName);
    if (!ticked || ticked.at !== null) return ticked?.at ?? null;
    const failures = ticked.failures + 1;
    const at = failures < MAX_FAILURES ? now + FIRST_RETRY_MS * 2 ** (failures - 1) : null;
    if (at === null) this.#drop(objectName);
    else this.#ticked.set(objectName, { at, failures });
    return at;
  }

  #drop(objectName: string): void {
    this.#ticked.delete(objectName);
    this.#sql.exec(`DELETE FROM ticked WHERE object_name = ?`, objectName);
  }
}
