import { forgetOrphans, listOverdueDrivers, noteWoken } from "../../db/queries/fleet/heartbeats.ts";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { deliverPendingNews } from "../announcements/driver-news.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { carryOutLeftOrders } from "../console/orders.ts";
import { retryAnnouncements, sendAnnouncements } from "../announcements/announcements.ts";
import { followLeftChanges } from "../accounts/account-changes.ts";
import { isolateOf } from "../http/isolate.ts";
import { closingOf } from "../http/gate/maintenance.ts";
import { maintainSeals } from "./master-keys.ts";
import { tellOperators } from "./tell-operators.ts";
import { watchService } from "./watch-service.ts";
import { runSteps, type CronStep } from "./run-steps.ts";
import { runDueRenewals } from "../payments/renewals/renewals.ts";
import { deliverPendingChanges } from "../payments/service-changes.ts";
import { createCheckoutContext } from "../payments/checkout.ts";
import { handleDueEvents } from "../payments/stripe/events.ts";
import { moveLines } from "../spots/move-lines.ts";

/** How many overdue objects are woken per minute, the longest overdue first. */
const BATCH_SIZE = 200;

/** How long after a success a step of the minute counts as missed: two runs may be late. */
const OVERDUE_MS = 3 * MINUTE_MS;

/**
 * Every minute: wakes the objects that missed their heartbeat and, unless the deployment is closed, repeats what failed: events
 * of the card processor, service changes, news, what follows from a changed account, what operators ordered; moves the lines
 * for spots, goes on with announcements, and takes the next step of renewals that are due.
 * @returns the names of the steps that failed
 */
export async function runWatchdog(env: Env): Promise<string[]> {
  const { deps } = isolateOf(env);
  const checkout = createCheckoutContext({ deps, db: deps.db });
  const { cards } = checkout;
  const steps: CronStep[] = [
    { name: "objects", statements: 5, run: () => wakeOverdueObjects(env, deps), runsClosed: true },
    { name: "watch", statements: 20, run: () => watchService(deps), runsClosed: true },
    { name: "alerts", statements: 60, run: () => tellOperators(deps), runsClosed: true },
    { name: "account_changes", statements: 400, run: () => followLeftChanges(checkout) },
    { name: "service_changes", statements: 400, run: () => deliverPendingChanges(checkout) },
    ...(cards
      ? [
          { name: "events", statements: 800, run: () => handleDueEvents({ ...checkout, cards }) },
          { name: "renewals", statements: 800, run: () => runDueRenewals({ ...checkout, cards }) },
        ]
      : []),
    { name: "spots", statements: 800, run: () => moveLines(deps) },
    { name: "news", statements: 400, run: () => deliverPendingNews(deps) },
    { name: "announcement_retries", statements: 260, run: () => retryAnnouncements(deps) },
    { name: "announcements", statements: 50, run: () => sendAnnouncements(deps) },
    { name: "orders", statements: 500, run: () => carryOutLeftOrders(checkout) },
    { name: "master_keys", statements: 400, run: () => maintainSeals(env) },
  ];
  // While the database is being restored, nobody is charged or told by what it happens to hold.
  const isClosed = closingOf(deps.config, deps.now()) !== null;
  return runSteps(deps, steps, { isClosed, overdueMs: OVERDUE_MS });
}

/** An object of a driver who is gone has nothing to wake for: the watch over it ends. */
async function wakeOverdueObjects(env: Env, { db, now, log }: Deps): Promise<void> {
  const overdueObjects = await listOverdueDrivers(db, now(), BATCH_SIZE);
  const [owned, orphans] = [
    overdueObjects.filter(({ isOwned }) => isOwned),
    overdueObjects.filter(({ isOwned }) => !isOwned).map(({ driverId }) => driverId),
  ];
  await forgetOrphans(db, orphans);
  if (orphans.length > 0) log("warn", "watchdog.orphans.forgotten", { objects: orphans.length });
  await noteWoken(
    db,
    owned.map(({ driverId }) => driverId),
    now(),
  );
  await Promise.all(
    owned.map(async ({ driverId, objectName }) => {
      try {
        await env.DRIVER.getByName(objectName).wake();
      } catch (error) {
        log("error", "watchdog.poke.failed", { driverId, ...describeError(error) });
      }
    }),
  );
}
