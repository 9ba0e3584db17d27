import { readDriver } from "../../db/queries/drivers.ts";
import { deleteNews, driversWithNews, readNews } from "../../db/queries/service-news.ts";
import { driverStub } from "../../durable/driver/stub.ts";
import { MINUTE_MS, type DriverId } from "../../durable/engine/units.ts";
import { errorName } from "../../durable/log.ts";
import { identityOf } from "../routes/driver.ts";
import type { Till } from "./till.ts";

/** How many drivers are told in one minute of those who could not be told at once. */
const BATCH = 100;

/** Hands a driver's object what their service became and why; what it heard is forgotten here. Never throws. */
export async function tellDriver({ env, deps, db }: Till, driverId: DriverId): Promise<void> {
  try {
    const news = await readNews(db, driverId);
    const record = await readDriver(db, driverId);
    if (record) {
      const object = driverStub(env, deps.config.platform.region, driverId);
      await object.configure(identityOf(record), record.profile, news);
    }
    await deleteNews(
      db,
      news.map(({ source }) => source),
    );
  } catch (error) {
    deps.log("warn", "payments.tell.failed", { driverId, error: errorName(error) });
  }
}

/** Tells the drivers whose objects could not be told when it happened. */
export async function tellRest(till: Till): Promise<void> {
  const before = till.deps.now() - MINUTE_MS;
  const drivers = await driversWithNews(till.db, { before, limit: BATCH });
  await Promise.all(drivers.map((driverId) => tellDriver(till, driverId)));
}
