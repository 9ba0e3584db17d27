import { createSimulatedSubtle } from "../subtle.ts";
import { SimulatedRequest, SimulatedResponse } from "./http.ts";
import { SimulatedSocketPair } from "./sockets.ts";
import type { Chance } from "../chance.ts";
import { currentLife, type Timeline } from "../timeline.ts";

const RealDate = Date;
const realSubtle = crypto.subtle;

type Present = { timeline: Timeline; chance: Chance; onError: (line: string) => void };
let present: Present | null = null;

function now(): number {
  return present ? present.timeline.now + present.timeline.skewMs : RealDate.now();
}

function roll(): number {
  if (!present) throw new Error("chance outside of a world");
  return present.chance.roll();
}

/**
 * Puts the clock, the timers, chance and the classes of the Workers runtime of this process into the hands of the
 * simulation. The product does not know: it calls what it always calls.
 */
export function takeOverGlobals(): void {
  class SimulatedDate extends RealDate {
    static override now = now;
  }
  const overrides = {
    Date: new Proxy(SimulatedDate, {
      construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
    }),
    setTimeout: simulatedSetTimeout,
    clearTimeout: (timer: unknown) => {
      if (timer instanceof Timer) timer.clear();
    },
    Request: SimulatedRequest,
    Response: SimulatedResponse,
    WebSocketPair: SimulatedSocketPair,
    WebSocketRequestResponsePair: Object,
    crypto: {
      subtle: createSimulatedSubtle(realSubtle, (work) => {
        if (!present) throw new Error("work outside of a world");
        return present.timeline.realWork(work);
      }),
      randomUUID,
      getRandomValues: (bytes: Uint8Array) =>
        bytes.map((_byte, index) => (bytes[index] = Math.floor(roll() * 256))) && bytes,
    },
  };
  for (const [name, value] of Object.entries(overrides)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  Math.random = roll;
  console.info = () => {};
  console.warn = () => {};
  console.error = (line: string) => {
    // Nobody hears a lost life.
    if (currentLife.getStore()?.isAlive !== false) present?.onError(line);
  };
}

/** The world that the globals belong to until another one takes its place. */
export function enterWorld(next: Present): void {
  present = next;
}

/** A timer dies with the life that set it. */
class Timer {
  #isDone = false;
  readonly #onDone: () => void;

  constructor(onDone: () => void) {
    this.#onDone = onDone;
  }

  /** Whether it had not fired nor been cleared before. */
  clear(): boolean {
    if (this.#isDone) return false;
    this.#isDone = true;
    this.#onDone();
    return true;
  }
}

function simulatedSetTimeout(callback: () => void, ms = 0): Timer {
  if (!present) throw new Error("a timer outside of a world");
  const life = currentLife.getStore();
  if (life) life.timers += 1;
  const timer = new Timer(() => {
    if (life) life.timers -= 1;
  });
  present.timeline.after(Math.max(0, ms), () => {
    if (!timer.clear()) return;
    if (!life) return callback();
    if (life.isAlive) currentLife.run(life, callback);
  });
  return timer;
}

function randomUUID(): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(roll() * 16).toString(16)).join("");
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join("-");
}
