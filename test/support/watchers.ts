import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { OverdueObject, WatchedObject } from "../../durable/runtime/env.ts";
import { WatchList, type Woken } from "../../durable/watch/watch-list.ts";
import { watcherOf, type Watchers } from "../../durable/watch/watchers.ts";

/** The lists of a deployment's watchers, in memory. The caller decides what waking does, and what time it is. */
export function openWatchers(
  count: number,
  { now, wake }: { now: () => EpochMs; wake: (object: OverdueObject) => Promise<Woken> },
): Watchers {
  const lists = Array.from({ length: count }, () => new WatchList(openStorage()));
  const byNumber = (number: number) => {
    const list = lists[number];
    if (!list) return null;
    const stub = {
      beat: async (watched: WatchedObject) => list.beat(watched),
      forget: async (driverIds: Parameters<WatchList["forget"]>[0]) => list.forget(driverIds),
      round: (given: readonly WatchedObject[]) => list.round(given, { now: now(), wake }),
      list: async () => list.list(),
    };
    return stub as unknown as ReturnType<Watchers["byNumber"]>;
  };
  return { of: (driverId) => byNumber(watcherOf(driverId, count)), all: () => [...lists.keys()], byNumber };
}

/** The storage of a watcher, as far as its lists use it. */
export function openStorage(): ConstructorParameters<typeof WatchList>[0] {
  const database = new DatabaseSync(":memory:");
  const exec = (query: string, ...bindings: SQLInputValue[]) => {
    const rows = database.prepare(query).all(...bindings);
    return { toArray: () => rows };
  };
  return { exec } as unknown as ConstructorParameters<typeof WatchList>[0];
}
