import type { EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../deps.ts";
import { describeError } from "../runtime/describe-error.ts";
import { ASK_AGAIN_MS, type Ticker } from "../watch/watchers.ts";
import { mayLeaveMemory } from "../watch/own-turn.ts";
import type { Machine } from "./machine.ts";

type TickerCallsDeps = {
  deps: Deps;
  machine: Machine;
  objectName: string | null;
  waitUntil: (work: Promise<void>) => void;
};

/** The ticker that calls the object, as this life of the object knows it. */
export class TickerCalls {
  readonly #deps: Deps;
  readonly #machine: Machine;
  readonly #objectName: string | null;
  readonly #waitUntil: (work: Promise<void>) => void;
  #nextAt: EpochMs | null = null;
  /** How many calls are in progress: one whose response was lost may still be running when the next comes. */
  #open = 0;
  #askAgainAt: EpochMs = 0;

  constructor({ deps, machine, objectName, waitUntil }: TickerCallsDeps) {
    this.#deps = deps;
    this.#machine = machine;
    this.#objectName = objectName;
    this.#waitUntil = waitUntil;
  }

  /** Whether the settings name this ticker. */
  isCalledBy(tickerName: string): boolean {
    return this.#ticker()?.name === tickerName;
  }

  /**
   * Handles a call of the ticker, whose run says when the next one is due.
   * @returns when that is; null if the object's own alarm wakes it
   */
  async during(run: () => Promise<EpochMs | null>): Promise<EpochMs | null> {
    let next: EpochMs | null = null;
    this.#open += 1;
    try {
      next = await run();
    } finally {
      this.#open -= 1;
      this.#nextAt = next !== null && this.#isSoon(next) ? next : null;
    }
    return this.#nextAt;
  }

  /** Whether a call of it is under way. */
  get isOpen(): boolean {
    return this.#open > 0;
  }

  /** Whether the ticker calls in time for an instant. */
  covers(at: EpochMs): boolean {
    if (!this.#isSoon(at)) return false;
    const isKnown = this.#nextAt !== null && this.#nextAt >= this.#deps.now() && this.#nextAt <= at;
    return this.isOpen || isKnown;
  }

  forget(): void {
    this.#nextAt = null;
  }

  /**
   * Asks for a call, unless the instant is too far away to be worth one. The alarm is set for the same instant, so nothing
   * depends on the response.
   */
  ask(at: EpochMs): void {
    const ticker = this.#isSoon(at) && this.#deps.now() >= this.#askAgainAt ? this.#ticker() : null;
    if (ticker && this.#objectName !== null) this.#waitUntil(this.#askOf(ticker, this.#objectName, at));
  }

  /** Only if the object stays in memory until then anyway: for a later call the ticker would keep it there. */
  #isSoon(at: EpochMs): boolean {
    return !mayLeaveMemory(this.#deps.now(), at);
  }

  #ticker(): Ticker | null {
    const driverId = this.#machine.owner?.driverId ?? null;
    return driverId === null ? null : this.#deps.ticker(driverId);
  }

  /** Never throws. */
  async #askOf(ticker: Ticker, objectName: string, at: EpochMs): Promise<void> {
    try {
      if (await ticker.due({ objectName, at })) this.#nextAt = at;
      else this.#askAgainAt = this.#deps.now() + ASK_AGAIN_MS.full;
    } catch (error) {
      this.#askAgainAt = this.#deps.now() + ASK_AGAIN_MS.unreachable;
      this.#deps.log("warn", "ticker.unreachable", { ticker: ticker.name, ...describeError(error) });
    }
  }
}
