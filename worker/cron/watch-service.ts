import { clearAlert, raiseAlert } from "../../db/queries/fleet/alerts.ts";
import { loadDatabaseSize } from "../../db/queries/fleet/database.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { loadFleetProblems, WATCHED_ALERTS } from "../console/fleet-problems.ts";

/** An alert that isn't renewed by the next minutes is over. */
const ALERT_LIFETIME_MS = 5 * MINUTE_MS;

/** A database of D1 has at most 10 GB. */
const NEARLY_FULL_BYTES = 8_000_000_000;
/** An answer to the simplest query that takes so long is no accident of the network. */
const SLOW_MS = 2_000;

/** A trouble, by the alert that stands for it. */
type Finding = { name: string; reason: string; since: EpochMs };

/** Every minute: raises an alert for each trouble of the fleet, and ends those that are over. */
export async function watchService({ db, now, log }: Pick<Deps, "db" | "now" | "log">): Promise<void> {
  const found = await findTrouble({ db, now });
  for (const { name, reason, since } of found) {
    if (await raiseAlert(db, { name, reason, since, until: now() + ALERT_LIFETIME_MS }))
      log("error", "service.alert.raised", { alert: name, reason });
  }
  const names = new Set(found.map(({ name }) => name));
  for (const name of WATCHED_ALERTS) {
    if (!names.has(name) && (await clearAlert(db, name))) log("info", "service.alert.ended", { alert: name });
  }
}

async function findTrouble({ db, now }: Pick<Deps, "db" | "now">): Promise<Finding[]> {
  const { problems, stale } = await loadFleetProblems(db, now());
  const found = problems.map(({ kind, since }) =>
    kind === "platform_down"
      ? { name: "platform.down", reason: "unreachable", since }
      : { name: "platform.limits", reason: "throttled", since },
  );
  const database = await findDatabaseTrouble({ db, now });
  if (database) found.push({ name: "database.strained", reason: database, since: now() });
  if (stale.drivers > 0) found.push({ name: "objects.stale", reason: "asleep", since: stale.since });
  return found;
}

/** Whether the database can take no more for long, or hardly answers. */
async function findDatabaseTrouble({ db, now }: Pick<Deps, "db" | "now">): Promise<"full" | "slow" | null> {
  const askedAt = now();
  const size = (await loadDatabaseSize(db)) ?? 0;
  if (size >= NEARLY_FULL_BYTES) return "full";
  return now() - askedAt >= SLOW_MS ? "slow" : null;
}
