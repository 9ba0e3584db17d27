import {
  forgetOrphans,
  listReportedObjects,
  replaceReportedObjects,
} from "../../db/queries/fleet/heartbeats.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import type { Config } from "../../durable/runtime/config.ts";
import type { WatchedObject } from "../../durable/runtime/watch-rpc.ts";
import { watcherOf } from "../../durable/watch/watchers.ts";

/** The cron compares at most so many of the objects that were overdue a minute ago. */
const REPORTED_SIZE = 5_000;

type WatchDeps = Pick<Deps, "db" | "now" | "log" | "watchers"> & { config: Pick<Config, "watchers"> };

/**
 * Lets each watcher wake the objects that missed their deadline, and tells D1 which are overdue still: nothing while none is. An
 * object of a driver who is gone has nothing to wake for, and the watch over it ends.
 * @throws if a watcher does not answer, after all the others had their round
 */
export async function watchObjects(deps: WatchDeps): Promise<void> {
  const { db, now, watchers } = deps;
  const reported = await listReportedObjects(db, now(), REPORTED_SIZE);
  const given = Map.groupBy(
    reported.filter(({ isOwned }) => isOwned),
    ({ driverId }) => watcherOf(driverId, deps.config.watchers),
  );
  const rounds = await Promise.allSettled(
    watchers.all().map(async (number) => {
      const own = (given.get(number) ?? []).map(toWatched);
      return { own, overdue: (await watchers.byNumber(number)?.round(own)) ?? [] };
    }),
  );
  const answered = rounds.flatMap((round) => (round.status === "fulfilled" ? [round.value] : []));
  const overdue = answered.flatMap((round) => round.overdue);
  const isOverdue = new Set(overdue.map(({ driverId }) => driverId));
  const over = answered
    .flatMap(({ own }) => own.map(({ driverId }) => driverId))
    .filter((driverId) => !isOverdue.has(driverId));
  const orphans = reported.filter(({ isOwned }) => !isOwned).map(({ driverId }) => driverId);
  if (over.length + overdue.length > 0)
    orphans.push(...(await replaceReportedObjects(db, { over, overdue })));
  await endWatchOver(deps, orphans);
  for (const round of rounds) if (round.status === "rejected") throw round.reason;
}

async function endWatchOver({ db, log, watchers }: WatchDeps, orphans: readonly DriverId[]): Promise<void> {
  if (orphans.length === 0) return;
  log("warn", "watchdog.orphans.forgotten", { objects: orphans.length });
  await forgetOrphans(db, orphans);
  for (const driverId of orphans) await watchers.of(driverId)?.forget([driverId]);
}

function toWatched({ driverId, objectName, dueAt }: WatchedObject): WatchedObject {
  return { driverId, objectName, dueAt };
}
