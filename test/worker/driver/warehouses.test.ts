import { runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import type { User } from "../../../worker/contract/account/user.ts";
import { idOf } from "../../engine/fixtures.ts";
import { permissiveFilters, permissiveWarehouseFilter, postJson } from "../../support/sandbox-client.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  createDriver,
  driverObject,
  injectFault,
  resetPlatform,
  runAlarm,
} from "../harness.ts";
import { codeOf } from "../payments-harness.ts";

const CLOSED = "nyc-dbk1";
const MINUTE_MS = 60_000;
const LOOK_AGE_MS = 10_000;

beforeEach(() => resetPlatform({ closedWarehouses: [CLOSED] }));

const open = () => postJson(apiTarget, "/sandbox/world", { closedWarehouses: [] });

async function idsShown(driver: Awaited<ReturnType<typeof createActiveDriver>>): Promise<string[]> {
  const { warehouses } = await driver.client.warehouses();
  return warehouses.map(({ warehouseId }) => warehouseId);
}

it("shows a warehouse that was opened since to a driver who looks, some seconds after the last look", async () => {
  const driver = await createActiveDriver();
  await open();
  expect(await idsShown(driver)).not.toContain(CLOSED);
  advanceClock(10_000);
  expect(await idsShown(driver)).toContain(CLOSED);
  const { filters } = await driver.client.filters();
  expect(filters.warehouses.some(({ warehouseId }) => warehouseId === CLOSED)).toBe(false);
});

it("shows none to a driver who has not linked", async () => {
  const { client } = await createDriver();
  const answer = await client.call("GET", "/flex/v1/warehouses");
  expect([answer.status, await codeOf(answer)]).toEqual([409, "not_linked"]);
});

it("looks for offers there as soon as such a look has found it", async () => {
  const driver = await createActiveDriver();
  await driver.client.saveFilters(permissiveFilters([permissiveWarehouseFilter(idOf.warehouse(CLOSED))]));
  await runAlarm(driver);
  const watch = async () => {
    const { phase } = await driverObject(driver).snapshot();
    const alarm = await runInDurableObject(driverObject(driver), (_object, { storage }) =>
      storage.getAlarm(),
    );
    const isDue = alarm !== null && alarm <= Date.now() + LOOK_AGE_MS + MINUTE_MS / 6;
    return [phase.kind, isDue];
  };
  expect(await watch()).toEqual(["asleep", false]);
  await open();
  advanceClock(LOOK_AGE_MS);
  expect(await idsShown(driver)).toContain(CLOSED);
  expect(await watch()).toEqual(["polling", true]);
});

it("notices it within a day of watching, too", async () => {
  const driver = await createActiveDriver();
  await open();
  advanceClock(24 * 60 * MINUTE_MS);
  const ids = async () => {
    await runAlarm(driver);
    return (await driverObject(driver).snapshot()).warehouses.map(({ warehouseId }) => String(warehouseId));
  };
  await expect.poll(ids).toContain(CLOSED);
});

it("shows those that are known while the platform can't list them", async () => {
  const driver = await createActiveDriver();
  const before = await idsShown(driver);
  advanceClock(10_000);
  await injectFault({ operation: "listWarehouses", fault: "500" });
  expect(await idsShown(driver)).toEqual(before);
});

it("makes filters that can take nothing more incomplete, in the record too, and complete when it is opened again", async () => {
  const driver = await createActiveDriver();
  const [first = ""] = driver.warehouseIds;
  const { filters } = await driver.client.filters();
  const warehouses = filters.warehouses.filter(({ warehouseId }) => warehouseId === first);
  await driver.client.saveFilters({ ...filters, warehouses });
  const isComplete = async () => {
    const { Item } = await (await driver.client.call("GET", "/flex/v1/user")).json<{ Item: User }>();
    return Item.setupComplete;
  };
  expect(await isComplete()).toBe(true);
  for (const closedWarehouses of [[first], []]) {
    await postJson(apiTarget, "/sandbox/world", { closedWarehouses });
    advanceClock(10_000);
    await idsShown(driver);
    expect(await isComplete()).toBe(closedWarehouses.length === 0);
  }
});
