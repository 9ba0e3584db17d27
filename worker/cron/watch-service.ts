import { clearAlert, loadAlerts, raiseAlert } from "../../db/queries/fleet/alerts.ts";
import { countDeadTasks } from "../../db/queries/fleet/ended-tasks.ts";
import { countFailingRenewals } from "../../db/queries/payments/renewals.ts";
import { DAY_MS, MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import type { Config } from "../../durable/runtime/config.ts";
import { settingReasons } from "../../durable/runtime/setting-groups.ts";
import { loadDatabaseSize } from "../../db/queries/fleet/cron-steps.ts";
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
