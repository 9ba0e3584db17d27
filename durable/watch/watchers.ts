import type { DriverId } from "../../db/shapes/units.ts";
import type { Env } from "../runtime/env.ts";
import type { WatchRpc } from "../runtime/watch-rpc.ts";

/** Which of so many watchers looks after a driver's object. A prime modulus before the count, so that the last characters decide no more than others. */
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
