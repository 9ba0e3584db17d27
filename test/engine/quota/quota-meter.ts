import type { EpochMs } from "../../../db/shapes/units.ts";
import type { Quota } from "../../../durable/engine/quota/quota.ts";

/**
 * How a platform counts: `fixed` windows begin with a call, `calendar` windows at full multiples of their length.
 * `sliding` and `sliding_full` count the last so many seconds, and say when the oldest call leaves, or when all have.
 */
export type MeterKind = "fixed" | "calendar" | "sliding" | "sliding_full";

export type MeterRules = {
  kind: MeterKind;
  windowMs: number;
  /** The limit at an instant, which may change. */
  limitAt: (at: EpochMs) => number;
  /** The driver's own app calls every so often, from its own instant on. */
  app?: { everyMs: number; from: EpochMs };
};

type MeteredCall = { at: EpochMs; by: "us" | "app"; isRefused: boolean };

/** A quota as a platform keeps it. */
export class QuotaMeter {
  readonly calls: MeteredCall[] = [];
  readonly #rules: MeterRules;
  #counted: EpochMs[] = [];
  #windowFrom: EpochMs = -Infinity;
  #appAt: EpochMs;

  constructor(rules: MeterRules) {
    this.#rules = rules;
    this.#appAt = rules.app?.from ?? Infinity;
  }

  /** Counts a call of ours, or says when to ask again if it is refused. */
  spend(at: EpochMs): Quota | { retryAt: EpochMs } {
    for (; this.#appAt <= at; this.#appAt += this.#rules.app?.everyMs ?? Infinity)
      this.#count(this.#appAt, "app");
    return this.#count(at, "us") ?? { retryAt: this.#freeAt(at) };
  }

  #count(at: EpochMs, by: MeteredCall["by"]): Quota | null {
    const { kind, windowMs, limitAt } = this.#rules;
    const limit = limitAt(at);
    this.#open(at);
    const isRefused = this.#counted.length >= limit;
    this.calls.push({ at, by, isRefused });
    if (isRefused) return null;
    this.#counted.push(at);
    const endsAt = {
      fixed: this.#windowFrom + windowMs,
      calendar: this.#windowFrom + windowMs,
      sliding: (this.#counted[0] ?? at) + windowMs,
      sliding_full: at + windowMs,
    }[kind];
    const resetSeconds = Math.max(1, Math.ceil((endsAt - at) / 1000));
    return { limit, remaining: limit - this.#counted.length, resetAt: at + resetSeconds * 1000 };
  }

  /** When so many of the counted calls have left that one more is allowed. */
  #freeAt(at: EpochMs): EpochMs {
    const { kind, windowMs, limitAt } = this.#rules;
    const leaves = this.#counted[this.#counted.length - limitAt(at)] ?? at;
    const freeAt =
      kind === "sliding" || kind === "sliding_full" ? leaves + windowMs : this.#windowFrom + windowMs;
    return at + Math.max(1, Math.ceil((freeAt - at) / 1000)) * 1000;
  }

  #open(at: EpochMs): void {
    const { kind, windowMs } = this.#rules;
    if (kind === "sliding" || kind === "sliding_full") {
      this.#counted = this.#counted.filter((earlier) => earlier > at - windowMs);
    } else if (at >= this.#windowFrom + windowMs) {
      this.#windowFrom = kind === "fixed" ? at : Math.floor(at / windowMs) * windowMs;
      this.#counted = [];
    }
  }
}

export const ours = ({ calls }: QuotaMeter) => calls.filter(({ by }) => by === "us").map(({ at }) => at);
export const refusals = ({ calls }: QuotaMeter) => calls.filter(({ isRefused }) => isRefused).length;

/** The most calls in any stretch of this length. */
export function peak(times: readonly number[], lengthMs: number): number {
  let from = 0;
  return Math.max(
    ...times.map((at, index) => {
      while ((times[from] ?? at) <= at - lengthMs) from += 1;
      return index - from + 1;
    }),
  );
}
