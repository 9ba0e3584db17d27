import type { Db } from "../../../db/client.ts";
import { raiseAlert } from "../../../db/queries/fleet/alerts.ts";
import { HOUR_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import { describeError } from "../../runtime/describe-error.ts";
import type { Log } from "../../runtime/log.ts";

/** The alerts about fields of the platform's answers that differ from its contract: one for each field. */
const ALERT_PREFIX = "platform.drift";
/** How long such an alert stands without being seen again, and how often one object says the same again. */
const ALERT_LIFE_MS: DurationMs = 6 * HOUR_MS;
const REPEAT_MS: DurationMs = HOUR_MS;
/** After a report that failed. */
const RETRY_MS: DurationMs = MINUTE_MS;
/** The contract has fewer fields of one kind. */
const MAX_NAMES = 64;

/**
 * The fields of the platform's answers that differ from its contract, by call and name, never by value. Kept in memory, so
 * that a poll writes nothing; told to the operators and in the driver's log as soon as something new is seen.
 */
export class DriftBook {
  readonly #deps: { db: Db; now: () => EpochMs; log: Log };
  readonly #known = new Set<string>();
  readonly #toldAt = new Map<string, EpochMs>();
  readonly #pending = new Set<string>();
  #unlogged: string[] = [];
  #notBefore: EpochMs = 0;

  constructor(deps: { db: Db; now: () => EpochMs; log: Log }) {
    this.#deps = deps;
  }

  /** The instants at which operators heard of each name, for the object's next life. */
  get told(): Record<string, EpochMs> {
    return Object.fromEntries(this.#toldAt);
  }

  /** Goes on from what an earlier life of the object told, also in the driver's log. */
  restore(told: Readonly<Record<string, EpochMs>>): void {
    for (const [name, at] of Object.entries(told)) {
      this.#known.add(name);
      this.#toldAt.set(name, at);
    }
  }

  /** @param name the call and the field, with a space between them */
  note(name: string): void {
    if (!this.#known.has(name)) {
      if (this.#known.size >= MAX_NAMES) return;
      this.#known.add(name);
      this.#unlogged.push(name);
    }
    const toldAt = this.#toldAt.get(name);
    if (toldAt === undefined || this.#deps.now() - toldAt >= REPEAT_MS) this.#pending.add(name);
  }

  /** The names that are new since the last call of this. */
  takeNew(): string[] {
    if (this.#unlogged.length === 0) return [];
    const names = this.#unlogged;
    this.#unlogged = [];
    return names;
  }

  /** Tells the operators what they were not told within the hour. Never throws. */
  async report(): Promise<void> {
    const { db, log } = this.#deps;
    const now = this.#deps.now();
    if (now < this.#notBefore) return;
    for (const name of this.#pending) {
      const [call = "", field = ""] = name.split(" ");
      const alert = { name: `${ALERT_PREFIX}.${call}.${field}`, reason: field };
      try {
        if (await raiseAlert(db, { ...alert, since: now, until: now + ALERT_LIFE_MS }))
          log("warn", "platform.drift", { call, field });
        this.#toldAt.set(name, now);
        this.#pending.delete(name);
      } catch (error) {
        this.#notBefore = now + RETRY_MS;
        log("warn", "platform.drift.unreported", { call, ...describeError(error) });
        return;
      }
    }
  }
}
