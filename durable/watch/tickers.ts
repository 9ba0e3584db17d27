import type { Env } from "../runtime/env.ts";
import type { TickedObject } from "../runtime/tick-rpc.ts";
import { watcherOf } from "./watchers.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";

/** The object that calls a driver's object. Its name tells it from the ones of other settings. */
export type Ticker = { name: string; due: (ticked: TickedObject) => Promise<boolean> };

/**
 * Finds the object that calls a driver's object for its polls, near the platform; none where there are none. The settings of the
 * platform are read only then: where they are malformed, captures stop, and nothing else.
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
