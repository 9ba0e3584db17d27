import { createScheduledController, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { watcherOf } from "../../../durable/watch/watchers.ts";
import type { Health } from "../../../worker/contract/status.ts";
import { minuteSteps } from "../../../worker/cron/watchdog.ts";
import worker from "../../../worker/index.ts";
import { parseResponse } from "../../support/driver-client.ts";
import {
  advanceClock,
  apiTarget,
  publishOffer,
  driverObject,
  injectFault,
  resetPlatform,
  runAlarm,
  createActiveDriver,
  type TestDriver,
} from "../harness.ts";
import { forgetWatched, setDeadline, watchedRows } from "../watched.ts";

beforeEach(() => resetPlatform());

const heartbeat = async (driver: TestDriver): Promise<number | null> =>
  (await watchedRows(driver)).map(({ due_at }) => due_at)[0] ?? null;
const missDeadline = (driver: TestDriver) => setDeadline(driver, 1);

async function beating(driver: TestDriver): Promise<number> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const dueAt = await heartbeat(driver);
    if (dueAt !== null) return dueAt;
    await runAlarm(driver);
  }
  throw new Error("no heartbeat was stored");
}

const alarmOf = (driver: TestDriver) =>
  runInDurableObject(driverObject(driver), (_object, state) => state.storage.getAlarm());

describe("the watchdog", () => {
  it("wakes objects that lost their alarm, and no others", async () => {
    const [lost, healthy] = [await createActiveDriver(), await createActiveDriver()];
    await beating(lost);
    await beating(healthy);
    await runInDurableObject(driverObject(lost), (_object, state) => state.storage.deleteAlarm());
    await missDeadline(lost);
    const healthyAlarm = await alarmOf(healthy);

    // The whole minute may last until the healthy one's next poll.
    await minuteSteps(env)
      .find(({ name }) => name === "objects")
      ?.run();

    expect(await alarmOf(lost)).not.toBeNull();
    expect(await alarmOf(healthy)).toBe(healthyAlarm);
    await publishOffer(lost.warehouseIds[0]!);
    await runAlarm(lost);
    expect((await driverObject(lost).snapshot()).today.captured).toBe(1);
  });
});

it("leaves an object that sleeps two minutes beyond its alarm", async () => {
  const driver = await createActiveDriver();
  await injectFault({ operation: "listOffers", fault: "429", times: 1, retryAfter: 3_600 });
  await runAlarm(driver);
  // A new life reports at once. One that still had something to send wakes earlier, and the next one sleeps.
  const beyondAlarm = async () => {
    await forgetWatched(driver);
    await evictDurableObject(driverObject(driver));
    await runInDurableObject(driverObject(driver), (object) => object.wake());
    await expect.poll(() => heartbeat(driver)).not.toBeNull();
    return Number(await heartbeat(driver)) - Number(await alarmOf(driver));
  };
  await expect.poll(beyondAlarm).toBe(2 * MINUTE_MS);
});

describe("an orphaned heartbeat", () => {
  const watch = (driverId: string, name: string) =>
    env.DB.prepare(`INSERT INTO heartbeats (driver_id, object_name, due_at) VALUES (?, ?, 1)`).bind(
      driverId,
      name,
    );

  it("is forgotten where the driver is gone, so that two hundred of them hold up nobody", async () => {
    const driver = await createActiveDriver();
    await beating(driver);
    await runInDurableObject(driverObject(driver), (_object, state) => state.storage.deleteAlarm());
    await missDeadline(driver);
    await env.DB.batch(Array.from({ length: 200 }, (_, index) => watch(`gone-${index}`, `orphan-${index}`)));
    await worker.scheduled(createScheduledController(), env);
    expect(
      await env.DB.prepare(`SELECT count(*) AS n FROM heartbeats WHERE driver_id LIKE 'gone-%'`).first(),
    ).toEqual({ n: 0 });
    await worker.scheduled(createScheduledController(), env);
    expect(await alarmOf(driver)).not.toBeNull();
  });

  it("of an object that lost its storage brings the driver back", async () => {
    const driver = await createActiveDriver();
    await beating(driver);
    await runInDurableObject(driverObject(driver), (_object, { storage }) => storage.deleteAll());
    await evictDurableObject(driverObject(driver));
    expect((await driverObject(driver).snapshot()).switchedOn).toBe(false);
    await missDeadline(driver);
    await worker.scheduled(createScheduledController(), env);
    expect((await driverObject(driver).snapshot()).switchedOn).toBe(true);
  });
});

describe("the minute's cron", () => {
  it("stores when each of its steps succeeded, which health says", async () => {
    await worker.scheduled(createScheduledController(), env);
    const { results } = await env.DB.prepare(
      `SELECT name, succeeded_at FROM cron_steps WHERE failure IS NULL`,
    ).all();
    expect(results.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["objects", "account_changes", "service_changes", "spots", "news", "orders"]),
    );
    const succeeded = Object.fromEntries(results.map(({ name, succeeded_at: at }) => [String(name), at]));
    // Health is kept for ten seconds, also what another test read at an instant of its own clock.
    const lastCronLater = async () => {
      advanceClock(11_000);
      const response = await apiTarget.fetch(`${apiTarget.origin}/status/health`);
      return (await parseResponse<Health>(response, "health")).lastCron;
    };
    await expect.poll(lastCronLater).toMatchObject(succeeded);
  });
});

/** The next record that is sent to an object does not arrive. */
async function failNextConfigure(driver: TestDriver): Promise<void> {
  await runInDurableObject(driverObject(driver), (object) => {
    const prototype = Object.getPrototypeOf(object) as Pick<typeof object, "configure">;
    const { configure } = prototype;
    prototype.configure = async () => {
      prototype.configure = configure;
      throw new Error("overloaded");
    };
  });
}

describe("the object's copy of the driver", () => {
  it("is compared with D1 at a moment of the driver's own if the object lost its alarm", async () => {
    const driver = await createActiveDriver();
    await beating(driver);
    await env.DB.prepare(`UPDATE users SET mode = 'secure', revision = revision + 1 WHERE id = ?`)
      .bind(driver.driverId)
      .run();
    await evictDurableObject(driverObject(driver));
    // The moment comes twice a minute, and has just passed.
    const ownMs = watcherOf(driver.driverId, 30) * 1_000;
    advanceClock(30_000 - ((Date.now() - ownMs) % 30_000));
    // A watcher wakes all that lost theirs in one round.
    await runInDurableObject(driverObject(driver), async (object, { storage }) => {
      await storage.deleteAlarm();
      await object.wake();
    });
    await runAlarm(driver);
    expect((await driverObject(driver).snapshot()).mode).toBe("lucrative");
    advanceClock(30_000);
    await runAlarm(driver);
    await expect.poll(async () => (await driverObject(driver).snapshot()).mode).toBe("secure");
  });

  it("is loaded from D1 if an update was lost", async () => {
    const driver = await createActiveDriver();
    await env.DB.prepare(`UPDATE users SET mode = 'secure', revision = revision + 1 WHERE id = ?`)
      .bind(driver.driverId)
      .run();
    await runInDurableObject(driverObject(driver), (object) => object.wake());
    for (let attempt = 0; attempt < 200; attempt += 1) {
      if ((await driverObject(driver).snapshot()).mode === "secure") return;
      await env.DB.prepare(`SELECT 1`).run();
    }
    expect((await driverObject(driver).snapshot()).mode).toBe("secure");
  });

  it("is loaded by the next minute if it did not arrive", async () => {
    const driver = await createActiveDriver();
    await beating(driver);
    const watcher = await watchedRows(driver);
    expect(watcher[0]?.due_at).toBeGreaterThan(Date.now() + MINUTE_MS);
    await failNextConfigure(driver);
    const answer = await driver.client.sealed("PATCH", "/flex/v1/user", { mode: "secure" });
    expect(answer.status).toBe(200);
    expect((await driverObject(driver).snapshot()).mode).not.toBe("secure");
    advanceClock(1_000);
    await worker.scheduled(createScheduledController(), env);
    await expect.poll(async () => (await driverObject(driver).snapshot()).mode).toBe("secure");
  });

  it("ignores older revisions", async () => {
    const driver = await createActiveDriver();
    const profile = await runInDurableObject(
      driverObject(driver),
      (_object, state) =>
        state.storage.sql.exec<{ value: string }>(`SELECT value FROM state WHERE key = 'profile'`).one()
          .value,
    );
    const old = { ...JSON.parse(profile), revision: 0, switchedOn: false };
    const identity = {
      driverId: driver.driverId,
      phoneNumber: driver.phoneNumber,
      language: "en" as const,
      timeZone: "America/New_York",
      notifications: DEFAULT_NOTIFICATION_PREFERENCES,
      reminders: DEFAULT_REMINDER_PREFERENCES,
    };
    await driverObject(driver).configure(identity, old);
    expect((await driverObject(driver).snapshot()).switchedOn).toBe(true);
  });
});
