import { listOverdueDrivers } from "../../db/queries/fleet/heartbeats.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { deliverPendingNews } from "../announcements/driver-news.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { carryOutLeftOrders } from "../console/orders.ts";
import { retryAnnouncements, sendAnnouncements } from "../announcements/announcements.ts";
import { followLeftChanges } from "../accounts/account-changes.ts";
import { isolateOf } from "../http/isolate.ts";
import { closingOf } from "../http/gate/maintenance.ts";
import { maintainSeals } from "./master-keys.ts";
import { runDueRenewals } from "../payments/renewals/renewals.ts";
import { deliverPendingChanges } from "../payments/service-changes.ts";
import { createCheckoutContext } from "../payments/checkout.ts";
import { handleDueEvents } from "../payments/stripe/events.ts";
import { moveLines } from "../spots/move-lines.ts";

/** How many overdue objects are woken per minute, the longest overdue first. */
const BATCH_SIZE = 200;

/** Every minute: wakes the objects that missed their heartbeat and, unless the deployment is closed, repeats what failed: events of the card processor, service changes, news, what follows from a changed account, what operators ordered; moves the lines for spots, goes on with announcements, and takes the next step of renewals that are due. */
export async function runWatchdog(env: Env): Promise<void> {
  const { deps } = isolateOf(env);
  const { db, now, log, config } = deps;
  const overdueObjects = await listOverdueDrivers(db, now(), BATCH_SIZE);
  const results = await Promise.allSettled(
    overdueObjects.map(({ objectName }) => env.DRIVER.getByName(objectName).wake()),
  );
  for (const [index, answer] of results.entries()) {
    if (answer.status === "fulfilled") continue;
    log("error", "watchdog.poke.failed", {
      driverId: overdueObjects[index]?.driverId ?? null,
      ...describeError(answer.reason),
    });
  }
  // While the database is being restored, nobody is charged or told by what it happens to hold.
  if (closingOf(config, now())) return;
  const checkout = createCheckoutContext({ deps, db });
  const { cards } = checkout;
  if (cards) await handleDueEvents({ ...checkout, cards });
  await deliverPendingChanges(checkout);
  await moveLines(deps);
  await deliverPendingNews(deps);
  await retryAnnouncements(deps);
  await sendAnnouncements(deps);
  await followLeftChanges(checkout);
  await carryOutLeftOrders(checkout);
  if (cards) await runDueRenewals({ ...checkout, cards });
  await maintainSeals(env);
}
