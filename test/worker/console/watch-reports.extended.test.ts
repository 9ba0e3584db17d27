import { createScheduledController, env, runDurableObjectAlarm } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { emptyCityCounts } from "../../../db/shapes/city-counts.ts";
import { emptyTally } from "../../../db/shapes/fleet.ts";
import { watcherOf } from "../../../durable/watch/watchers.ts";
import worker from "../../../worker/index.ts";
import { createActiveDriver, resetPlatform, runAlarm, type TestDriver } from "../harness.ts";
import { watchedRows } from "../watched.ts";

beforeEach(() => resetPlatform());

const watcherOfDriver = ({ driverId }: TestDriver) =>
  env.WATCH!.getByName(`watch:${watcherOf(driverId, 16)}`);

const stateOf = ({ driverId }: TestDriver) =>
  env.DB.prepare(`SELECT state FROM driver_states WHERE driver_id = ?`)
    .bind(driverId)
    .first<{ state: string }>();

/** Runs until the object has told its watcher that it is awake. */
async function awake(): Promise<TestDriver> {
  const driver = await createActiveDriver();
  await expect
    .poll(async () => {
      await runAlarm(driver);
      return watchedRows(driver);
    })
    .toHaveLength(1);
  return driver;
}

it("reaches D1 by the watcher's alarm", async () => {
  const driver = await awake();
  await runDurableObjectAlarm(watcherOfDriver(driver));
  expect(await stateOf(driver)).not.toBeNull();
});

it("reaches D1 by the next round where the alarm found D1 failing, once", async () => {
  const driver = await awake();
  await runDurableObjectAlarm(watcherOfDriver(driver));
  await env.DB.exec(`DELETE FROM fleet_hours`);
  await watcherOfDriver(driver).report({
    driverId: driver.driverId as never,
    tallies: [
      {
        hour: 1,
        tally: { ...emptyTally(), captures: 3 },
        city: { ...emptyCityCounts(), captures: 3 },
      },
    ],
    state: null,
  });
  await env.DB.exec(`ALTER TABLE fleet_hours RENAME TO fleet_hours_away`);
  try {
    await runDurableObjectAlarm(watcherOfDriver(driver));
  } finally {
    await env.DB.exec(`ALTER TABLE fleet_hours_away RENAME TO fleet_hours`);
  }
  const captures = () => env.DB.prepare(`SELECT sum(captures) AS n FROM fleet_hours WHERE hour = 1`).first();
  expect(await captures()).toEqual({ n: null });
  await worker.scheduled(createScheduledController(), env);
  await worker.scheduled(createScheduledController(), env);
  expect(await captures()).toEqual({ n: 3 });
});

it("of a driver whose account is deleted is not stored", async () => {
  const driver = await awake();
  expect((await driver.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
  await watcherOfDriver(driver).report({
    driverId: driver.driverId as never,
    tallies: [],
    state: { state: "polling", since: 1, at: 1 },
  });
  await worker.scheduled(createScheduledController(), env);
  expect(await stateOf(driver)).toBeNull();
});
