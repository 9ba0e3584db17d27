import { createScheduledController, env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { FleetDriversResponse, FleetResponse } from "../../../worker/contract/console/fleet.ts";
import type { DriverLiveResponse } from "../../../worker/contract/console/operator-drivers.ts";
import worker from "../../../worker/index.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { owner } from "../console-harness.ts";
import { createActiveDriver, driverObject, resetPlatform, type TestDriver } from "../harness.ts";
import { setDeadline, storeReports, watchedRows } from "../watched.ts";

beforeEach(async () => {
  await resetPlatform();
  const tables = ["driver_states", "heartbeats", "service_alerts", "payment_alerts"];
  await env.DB.batch(tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)));
});

const fleet = async () => {
  await storeReports();
  return parseResponse<FleetResponse>(await owner.call("GET", "/fleet?span=day"), "fleet");
};
const listed = async (list: string) =>
  (await parseResponse<FleetDriversResponse>(await owner.call("GET", `/fleet/drivers?in=${list}`), list))
    .drivers;

/** Breaks or mends the table that the object's constructor reads first. */
async function rename(driver: TestDriver, from: string, to: string): Promise<void> {
  await runInDurableObject(driverObject(driver), (_object, state) => {
    state.storage.sql.exec(`ALTER TABLE ${from} RENAME TO ${to}`);
  });
}

it("counts a driver whose object can't be made once, with the errors and their place, and says so once", async () => {
  const driver = await createActiveDriver();
  await expect.poll(async () => (await fleet()).drivers.looking).toBe(1);
  await expect.poll(() => watchedRows(driver)).toHaveLength(1);
  await rename(driver, "state", "state_lost");
  await evictDurableObject(driverObject(driver));
  await setDeadline(driver, Date.now() - 10 * MINUTE_MS);
  const logged: unknown[] = [];
  vi.spyOn(console, "error").mockImplementation((line: unknown) => void logged.push(line));

  await worker.scheduled(createScheduledController(), env);
  await worker.scheduled(createScheduledController(), env);

  const failure = expect.stringMatching(/^Error at StateTable\.#find \(.*tables\/state\.ts:\d+:\d+\)$/);
  const { drivers, attention } = await fleet();
  expect(drivers).toMatchObject({ on: 0, looking: 0, stale: 0, failing: 1 });
  expect(attention).toEqual([{ kind: "failing", drivers: 1, failure }]);
  expect(await listed("failing")).toMatchObject([{ id: driver.driverId, failure }]);
  expect(await listed("stale")).toEqual([]);
  expect(
    await env.DB.prepare(`SELECT reason FROM service_alerts WHERE name = 'objects.failing'`).first(),
  ).toEqual({ reason: failure });
  const told = logged.map(String).filter((line) => line.includes("watchdog.poke.failed"));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain("state.ts");
  const live = await parseResponse<DriverLiveResponse>(
    await owner.call("GET", `/drivers/${driver.driverId}/live`),
    "live",
  );
  expect(live.failure).toMatchObject({ place: expect.stringContaining("state.ts") });
});
