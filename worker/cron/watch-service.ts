import { clearAlert, loadAlerts, raiseAlert, type ServiceAlert } from "../../db/queries/fleet/alerts.ts";
import { countDeadTasks } from "../../db/queries/fleet/ended-tasks.ts";
import { countLeftOrders } from "../../db/queries/operators/orders.ts";
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
import type { WatchedObject } from "../../durable/runtime/env.ts";
import { watcherOf } from "../../durable/watch/watchers.ts";
import { findSilentCities } from "../console/cities.ts";
import { findManySignedOut, FLEET_ALERTS, loadFleetProblems } from "../console/fleet-problems.ts";

/** An alert that isn't renewed by the next minutes is over. */
const ALERT_LIFETIME_MS = 5 * MINUTE_MS;

/** A trouble, by the alert that stands for it. */
type Finding = { name: string; reason: string; since: EpochMs };

type WatchDeps = Pick<Deps, "db" | "now" | "log" | "restoreRecord"> & { config: Pick<Config, "problems"> };

/** A look for troubles, and the alerts that stand for them. */
type Look = {
  isOwn: (alert: string) => boolean;
  /** @param standing those of its alerts that stand */
  find: (deps: WatchDeps, standing: readonly ServiceAlert[]) => Promise<Finding[]>;
};

const named = (name: string) => (alert: string) => alert === name;
const about = (subject: string) => (alert: string) => alert.startsWith(`${subject}.`);

const UNREADABLE = "platform.unreadable";

/** Each fails alone. */
const LOOKS: readonly Look[] = [
  { isOwn: (alert) => FLEET_ALERTS.has(alert) || alert === UNREADABLE, find: findFleetTrouble },
  { isOwn: about("database"), find: findStrain },
  { isOwn: about("silence"), find: findSilence },
  { isOwn: named("renewals.held"), find: findHeldRenewals },
  { isOwn: named("renewals.failing"), find: findFailingRenewals },
  { isOwn: about("queues"), find: findDeadTasks },
  { isOwn: named("orders.left"), find: findLeftOrders },
  { isOwn: about("settings"), find: findSettings },
];

/**
 * Every minute: raises an alert for each trouble of the service, and ends those that are over. One whose look fails stands
 * on, since nobody knows.
 * @throws what the first look that failed threw, after all others
 */
export async function watchService(deps: WatchDeps): Promise<void> {
  const { db, now } = deps;
  const standing = await loadAlerts(db, now());
  const failures: unknown[] = [];
  for (const { isOwn, find } of LOOKS) {
    const own = standing.filter(({ name }) => isOwn(name));
    try {
      await note(deps, own, await find(deps, own));
    } catch (error) {
      failures.push(error);
      for (const alert of own) await raiseAlert(db, { ...alert, until: now() + ALERT_LIFETIME_MS });
    }
  }
  if (failures.length > 0) throw failures[0];
}

async function note(
  { db, now, log }: WatchDeps,
  standing: readonly ServiceAlert[],
  found: readonly Finding[],
): Promise<void> {
  for (const { name, reason, since } of found) {
    if (await raiseAlert(db, { name, reason, since, until: now() + ALERT_LIFETIME_MS }))
      log("error", "service.alert.raised", { alert: name, reason });
  }
  const names = new Set(found.map(({ name }) => name));
  for (const { name } of standing) {
    if (names.has(name)) continue;
    await clearAlert(db, name);
    log("info", "service.alert.ended", { alert: name });
  }
}

async function findFleetTrouble({ db, now }: WatchDeps): Promise<Finding[]> {
  const { problems, unreadable, stale, failing } = await loadFleetProblems(db, now());
  const signedOut = await findManySignedOut(db, now());
  const found = problems.map(({ kind, since }) =>
    kind === "platform_down"
      ? { name: "platform.down", reason: "unreachable", since }
      : { name: "platform.limits", reason: "throttled", since },
  );
  if (unreadable)
    found.push({ name: UNREADABLE, reason: roughly(unreadable.drivers), since: unreadable.since });
  if (signedOut !== null)
    found.push({ name: "platform.signed_out", reason: roughly(signedOut), since: now() });
  if (stale.drivers > 0) found.push({ name: "objects.stale", reason: "asleep", since: stale.since });
  if (failing.drivers > 0)
    found.push({ name: "objects.failing", reason: failing.failure ?? "Error", since: failing.since });
  return found;
}

async function findStrain({ db, now }: WatchDeps): Promise<Finding[]> {
  const reason = await findDatabaseTrouble({ db, now });
  return reason === null ? [] : [{ name: "database.strained", reason, since: now() }];
}

async function findHeldRenewals({ restoreRecord }: WatchDeps): Promise<Finding[]> {
  const since = (await restoreRecord()?.renewalsHeldSince()) ?? null;
  return since === null ? [] : [{ name: "renewals.held", reason: "restored", since }];
}

async function findFailingRenewals({ db, now }: WatchDeps): Promise<Finding[]> {
  const failing = await countFailingRenewals(db);
  return failing === 0 ? [] : [{ name: "renewals.failing", reason: roughly(failing), since: now() }];
}

async function findDeadTasks({ db, now }: WatchDeps): Promise<Finding[]> {
  const { tasks, firstAt } = await countDeadTasks(db, now() - DAY_MS);
  return firstAt === null ? [] : [{ name: "queues.dead", reason: roughly(tasks), since: firstAt }];
}

/** The crons try each minute, so that this takes a person. */
const ORDER_PATIENCE_MS = 30 * MINUTE_MS;

async function findLeftOrders({ db }: WatchDeps): Promise<Finding[]> {
  const left = await countLeftOrders(db, ORDER_PATIENCE_MS);
  if (left.length === 0) return [];
  const reason = left.map(({ kind, orders }) => `${kind} ${orders}`).join(", ");
  return [{ name: "orders.left", reason, since: Math.min(...left.map(({ since }) => since)) }];
}

async function findSettings({ now, config }: WatchDeps): Promise<Finding[]> {
  const reasons = Object.entries(settingReasons(config.problems));
  return reasons.map(([name, reason]) => ({ name, reason, since: now() }));
}

/** A number's size, so that the log has an alert again once that has grown tenfold, and not each minute. */
function roughly(count: number): string {
  return `${10 ** Math.floor(Math.log10(count))}+`;
}

/**
 * One trouble for each silent city, or one for all where most are; beside it the cities of which operators heard before, since
 * theirs is not over.
 */
async function findSilence({ db, now }: WatchDeps, standing: readonly ServiceAlert[]): Promise<Finding[]> {
  const { silent, isEverywhere } = await findSilentCities(db, now());
  const found = silent.map(({ city, silence: { since, what, cause } }) => ({
    name: `silence.${city}`,
    reason: `${what}: ${cause}`,
    since,
  }));
  if (!isEverywhere) return found;
  const since = Math.min(...silent.map(({ silence }) => silence.since));
  return [
    { name: "silence.everywhere", reason: `${silent.length} cities`, since },
    ...found.filter(({ name }) => standing.some((alert) => alert.name === name)),
  ];
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
