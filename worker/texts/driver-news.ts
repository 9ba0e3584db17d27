import { deleteNews, listDriversWithNews, loadNews } from "../../db/queries/texts/driver-news.ts";
import { loadDriver, toDriverOwner } from "../../db/queries/accounts/drivers.ts";
import { MINUTE_MS, type DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";

/** How many drivers are retried in one minute, each with seven statements. */
const BATCH_SIZE = 60;

/** Sends a driver's object the record and the news of the driver, then deletes what was delivered. Never throws. */
export async function deliverNews(deps: Deps, driverId: DriverId): Promise<void> {
  const { db } = deps;
  try {
    const news = await loadNews(db, driverId);
    const record = await loadDriver(db, driverId);
    if (record) {
      const object = deps.driver(driverId);
      await object.configure(toDriverOwner(record), record.profile, [], news);
    }
    await deleteNews(
      db,
      news.map(({ source }) => source),
    );
  } catch (error) {
    deps.log("warn", "news.deliver.failed", { driverId, ...describeError(error) });
  }
}

/** Every minute: what operators' programs wrote, and what could not be delivered when it happened. */
export async function deliverPendingNews(deps: Deps): Promise<void> {
  const { db, now } = deps;
  const drivers = await listDriversWithNews(db, { before: now() - MINUTE_MS, limit: BATCH_SIZE });
  await Promise.all(drivers.map((driverId) => deliverNews(deps, driverId)));
}
