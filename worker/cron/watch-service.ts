import { clearAlert, raiseAlert } from "../../db/queries/fleet/alerts.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { loadFleetProblems, WATCHED_ALERTS } from "../console/fleet-problems.ts";

/** An alert that isn't renewed by the next minutes is over. */
const ALERT_LIFETIME_MS = 5 * MINUTE_MS;

/** What was found to be wrong, by the alert that stands for it. */
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
  if (stale.drivers > 0) found.push({ name: "objects.stale", reason: "asleep", since: stale.since });
  return found;
}
