import type { DriverId, EpochMs } from "../../db/shapes/units.ts";
import type { Env, WatchRpc, TickedObject } from "../runtime/env.ts";

/**
 * Which of so many watchers looks after a driver's object. A prime modulus before the count, so that the last
 * characters decide no more than others.
 */
export function watcherOf(driverId: DriverId, watchers: number): number {
  let hash = 0;
  for (const char of driverId) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
  return hash % watchers;
}

/** The number in a watcher's name; null if the name is not one of ours. */
export function watcherNumber(name: string | undefined): number | null {
  const [, number] = /^watch:(\d+)$/.exec(name ?? "") ?? [];
  return number === undefined ? null : Number(number);
}

/** The watchers of a deployment; none where they are not bound. */
export function watchersOf(env: Pick<Env, "WATCH">, watchers: number) {
  const byNumber = (number: number): DurableObjectStub<WatchRpc> | null =>
    env.WATCH?.getByName(`watch:${number}`) ?? null;
  return {
    /** The one that looks after a driver's object. */
    of: (driverId: DriverId) => byNumber(watcherOf(driverId, watchers)),
    all: () => Array.from({ length: env.WATCH ? watchers : 0 }, (_, number) => number),
    byNumber,
  };
}

export type Watchers = ReturnType<typeof watchersOf>;

/** The object that calls a driver's object. Its name tells it from the ones of other settings. */
export type Ticker = { name: string; due: (ticked: TickedObject) => Promise<boolean> };

/**
 * Finds the object that calls a driver's object for its polls, near the platform; none where there are none. The
 * settings of the platform are read only then: where they are malformed, captures stop, and nothing else.
 */
export function tickersOf(
  env: Pick<Env, "TICK">,
  config: { tickers: number; platform: { region: DurableObjectLocationHint } },
) {
  return (driverId: DriverId): Ticker | null => {
    const { TICK } = env;
    const { tickers } = config;
    if (tickers === 0 || !TICK) return null;
    const { region } = config.platform;
    const name = `tick:${region}:${watcherOf(driverId, tickers)}`;
    return { name, due: async (ticked) => TICK.getByName(name, { locationHint: region }).due(ticked) };
  };
}

export type TickerOf = ReturnType<typeof tickersOf>;

/** A ticker that has taken enough objects, or can't be reached, is asked again by an object after so long. */
export const ASK_AGAIN_MS: Record<"full" | "unreachable", EpochMs> = { full: 300_000, unreachable: 60_000 };
