import { clearAlert, loadAlerts, raiseAlert } from "../../db/queries/fleet/alerts.ts";
import { countDeadTasks } from "../../db/queries/fleet/ended-tasks.ts";
import { countFailingRenewals } from "../../db/queries/payments/renewals.ts";
import { DAY_MS, MINUTE_MS, type EpochMs, type DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import type { Config } from "../../durable/runtime/config.ts";
import { settingReasons } from "../../durable/runtime/setting-groups.ts";
import { loadDatabaseSize } from "../../db/queries/fleet/cron-steps.ts";
import {
  forgetOrphans,
  listReportedObjects,
  replaceReportedObjects,
} from "../../db/queries/fleet/heartbeats.ts";
import type { WatchedObject } from "../../durable/runtime/watch-rpc.ts";
import { watcherOf } from "../../durable/watch/watchers.ts";
import { findSilentCities } from "../console/cities.ts";
import { isWatchedAlert, loadFleetProblems } from "../console/fleet-problems.ts";

/** An alert that isn't renewed by the next minutes is over. */
const ALERT_LIFETIME_MS = 5 * MINUTE_MS;

/** A trouble, by the alert that stands for it. */
type Finding = { name: string; reason: string; since: EpochMs };

type WatchDeps = Pick<Deps, "db" | "now" | "log" | "restoreRecord"> & { config: Pick<Config, "problems"> };

/** Every minute: raises an alert for each trouble of the service, and ends those that are over. */
export async function watchService(deps: WatchDeps): Promise<void> {
  const { db, now, log } = deps;
  const found = await findTrouble(deps);
  for (const { name, reason, since } of found) {
    if (await raiseAlert(db, { name, reason, since, until: now() + ALERT_LIFETIME_MS }))
      log("error", "service.alert.raised", { alert: name, reason });
  }
  const names = new Set(found.map(({ name }) => name));
  for (const { name } of await loadAlerts(db, now())) {
    if (!isWatchedAlert(name) || names.has(name)) continue;
    await clearAlert(db, name);
    log("info", "service.alert.ended", { alert: name });
  }
}

async function findTrouble({ db, now, config, restoreRecord }: Omit<WatchDeps, "log">): Promise<Finding[]> {
  const { problems, stale, failing: objects } = await loadFleetProblems(db, now());
  const found = problems.map(({ kind, since }) =>
    kind === "platform_down"
      ? { name: "platform.down", reason: "unreachable", since }
      : { name: "platform.limits", reason: "throttled", since },
  );
  const database = await findDatabaseTrouble({ db, now });
  if (database) found.push({ name: "database.strained", reason: database, since: now() });
  if (stale.drivers > 0) found.push({ name: "objects.stale", reason: "asleep", since: stale.since });
  if (objects.drivers > 0)
    found.push({ name: "objects.failing", reason: objects.failure ?? "Error", since: objects.since });
  found.push(...(await findSilence({ db, now })));
  const heldSince = (await restoreRecord()?.renewalsHeldSince()) ?? null;
  if (heldSince !== null) found.push({ name: "renewals.held", reason: "restored", since: heldSince });
  const failing = await countFailingRenewals(db);
  if (failing > 0) found.push({ name: "renewals.failing", reason: roughly(failing), since: now() });
  const dead = await countDeadTasks(db, now() - DAY_MS);
  if (dead.firstAt !== null)
    found.push({ name: "queues.dead", reason: roughly(dead.tasks), since: dead.firstAt });
  for (const [name, reason] of Object.entries(settingReasons(config.problems)))
    found.push({ name, reason, since: now() });
  return found;
}

/** A number's size: operators hear again of what has grown tenfold. */
function roughly(count: number): string {
  return `${10 ** Math.floor(Math.log10(count))}+`;
}

/** One trouble for each silent city, or one for all where most are. */
async function findSilence({ db, now }: Pick<WatchDeps, "db" | "now">): Promise<Finding[]> {
  const { silent, isEverywhere } = await findSilentCities(db, now());
  if (!isEverywhere)
    return silent.map(({ city, silence: { since, what, cause } }) => ({
      name: `silence.${city}`,
      reason: `${what}: ${cause}`,
      since,
    }));
  const since = Math.min(...silent.map(({ silence }) => silence.since));
  return [{ name: "silence.everywhere", reason: `${silent.length} cities`, since }];
}

/** A database of D1 has at most 10 GB: the rest lasts for months (`npm run bench -- scale`). */
const NEARLY_FULL_BYTES = 6_000_000_000;
/** An answer to the simplest query that takes so long is no accident of the network. */
const SLOW_MS = 2_000;

/** Whether the database fills up, or hardly answers. */
export async function findDatabaseTrouble({
  db,
  now,
}: Pick<Deps, "db" | "now">): Promise<"full" | "slow" | null> {
  const askedAt = now();
  const size = (await loadDatabaseSize(db)) ?? 0;
  if (size >= NEARLY_FULL_BYTES) return "full";
  return now() - askedAt >= SLOW_MS ? "slow" : null;
}

/** The cron compares at most so many of the objects that were overdue a minute ago. */
const REPORTED_SIZE = 5_000;

type ObjectDeps = Pick<Deps, "db" | "now" | "log" | "watchers"> & { config: Pick<Config, "watchers"> };

/**
 * Lets each watcher wake the objects that missed their deadline, and tells D1 which are overdue still: nothing while
 * none is. An object of a driver who is gone has nothing to wake for, and the watch over it ends.
 * @throws if a watcher does not answer, after all the others had their round
 */
export async function watchObjects(deps: ObjectDeps): Promise<void> {
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

async function endWatchOver({ db, log, watchers }: ObjectDeps, orphans: readonly DriverId[]): Promise<void> {
  if (orphans.length === 0) return;
  log("warn", "watchdog.orphans.forgotten", { objects: orphans.length });
  await forgetOrphans(db, orphans);
  for (const driverId of orphans) await watchers.of(driverId)?.forget([driverId]);
}

function toWatched({ driverId, objectName, dueAt }: WatchedObject): WatchedObject {
  return { driverId, objectName, dueAt };
}
