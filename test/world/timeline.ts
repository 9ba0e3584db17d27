import { AsyncLocalStorage } from "node:async_hooks";

/** The real one: `setTimeout` and `Date` belong to the simulation, see `globals.ts`. */
const macrotask = setImmediate;

type Entry = { at: number; order: number; run: () => void };

/** The running code: one life of the driver's object, from its constructor to its eviction or crash. */
export type Life = { readonly id: number; isAlive: boolean; timers: number };

/** Follows the object's code through every await. Outside of it, the code is the simulation's own. */
export const currentLife = new AsyncLocalStorage<Life>();

/**
 * Virtual time. An entry runs to the end, with every microtask that it leads to, before the next one begins: time only
 * passes between entries.
 */
export class Timeline {
  now: number;
  /** The lead of the object's clock over the real one. */
  skewMs = 0;
  readonly #hosts: (() => boolean)[] = [];
  readonly #heap: Entry[] = [];
  #order = 0;
  #ran = 0;
  #realWork: Promise<unknown> = Promise.resolve();
  #realPending = 0;

  constructor(now: number) {
    this.now = now;
  }

  /** How many entries have run. */
  get ran(): number {
    return this.#ran;
  }

  /** Calls this after each entry, and again as long as one of those that it calls says that it led to something. */
  afterEach(endTurn: () => boolean): void {
    this.#hosts.push(endTurn);
  }

  at(at: number, run: () => void): void {
    this.#push({ at: Math.max(at, this.now), order: (this.#order += 1), run });
  }

  after(ms: number, run: () => void): void {
    this.at(this.now + ms, run);
  }

  /** Resolves when this much virtual time has passed. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.after(ms, resolve));
  }

  /** Runs until nothing is left or the time has come. */
  async runUntil(until: number, { maxEntries }: { maxEntries: number }): Promise<"done" | "endless"> {
    for (let entry = this.#pop(until); entry; entry = this.#pop(until)) {
      this.now = entry.at;
      this.#ran += 1;
      if (this.#ran > maxEntries) return "endless";
      entry.run();
      await this.#drain();
      while (this.#endTurns()) await this.#drain();
    }
    this.now = until;
    return "done";
  }

  /**
   * Work that really takes time (elliptic curves), done one after the other and in no virtual time at all, so that it
   * ends in the order in which it began.
   */
  realWork<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#realPending += 1;
    const done = this.#realWork.then(work).finally(() => {
      this.#realPending -= 1;
    });
    this.#realWork = done.catch(() => {});
    return done;
  }

  #endTurns(): boolean {
    let hasLedOn = false;
    for (const endTurn of this.#hosts) hasLedOn = endTurn() || hasLedOn;
    return hasLedOn;
  }

  async #drain(): Promise<void> {
    await new Promise((resolve) => macrotask(resolve));
    while (this.#realPending > 0) {
      await this.#realWork;
      await new Promise((resolve) => macrotask(resolve));
    }
  }

  #push(entry: Entry): void {
    const heap = this.#heap;
    heap.push(entry);
    for (let index = heap.length - 1; index > 0;) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfBefore(index, parent)) return;
      index = parent;
    }
  }

  #pop(until: number): Entry | null {
    const heap = this.#heap;
    const first = heap[0];
    if (!first || first.at >= until) return null;
    const last = heap.pop();
    if (last && heap.length > 0) {
      heap[0] = last;
      for (let index = 0; ;) {
        const left = 2 * index + 1;
        const right = left + 1;
        const child = right < heap.length && this.#isBefore(right, left) ? right : left;
        if (child >= heap.length || !this.#swapIfBefore(child, index)) break;
        index = child;
      }
    }
    return first;
  }

  #isBefore(one: number, other: number): boolean {
    const a = this.#heap[one];
    const b = this.#heap[other];
    return a !== undefined && b !== undefined && (a.at - b.at || a.order - b.order) < 0;
  }

  #swapIfBefore(one: number, other: number): boolean {
    const a = this.#heap[one];
    const b = this.#heap[other];
    if (!a || !b || !this.#isBefore(one, other)) return false;
    this.#heap[one] = b;
    this.#heap[other] = a;
    return true;
  }
}
