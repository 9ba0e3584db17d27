import { env, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { loadDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import { listDriverObjects } from "../../../db/queries/fleet/driver-objects.ts";
import { driverStub } from "../../../durable/driver/object-name.ts";
import { capturedIn } from "../../../db/shapes/log/driver-log.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import type { BlocksResponse } from "../../../worker/contract/work/blocks.ts";
import {
  linkPlatformAccount,
  permissiveFilters,
  permissiveWarehouseFilter,
  platformWorld,
  postJson,
} from "../../support/sandbox-client.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { addAccount, operatorClient, OWNER } from "../console-harness.ts";
import { embedded } from "../embedded-pool.ts";
import {
  advanceClock,
  apiTarget,
  createDriver,
  createLinkedDriver,
  deployment,
  publishOffer,
  resetPlatform,
  setSystemSwitch,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const formerObject = ({ driverId }: TestDriver) => driverStub(env, "weur", driverId);
const stateKeys = (driver: TestDriver): Promise<string[]> =>
  runInDurableObject(formerObject(driver), (_object, { storage }) =>
    storage.sql
      .exec<{ key: string }>(`SELECT key FROM state`)
      .toArray()
      .map(({ key }) => key),
  );

async function recordOf({ driverId }: TestDriver) {
  const record = await loadDriver(openDb(env.DB), driverId);
  if (!record) throw new Error("the driver has no record");
  return record;
}

/** Links an object past the route, which would wake the others. */
async function linkObject(object: ReturnType<typeof formerObject>, driver: TestDriver) {
  const owner = toDriverOwner(await recordOf(driver));
  await object.startLink(owner, { email: driver.email, password: "right" });
  const { sessions } = await platformWorld(apiTarget);
  const session = sessions.findLast(({ email }) => email === driver.email)!;
  await object.submitLinkCode(owner, session.code);
  await postJson(apiTarget, `/sandbox/platform/sessions/${session.id}/approve`, {});
  expect(await object.linkStatus(owner)).toMatchObject({ response: { step: "linked" } });
  return owner;
}

/** A driver whose account was linked, and who was switched on, when another region was the platform's. */
async function createFormerDriver(): Promise<TestDriver> {
  const driver = await createDriver();
  const object = formerObject(driver);
  const owner = await linkObject(object, driver);
  const warehouseIds = (await object.knownWarehouses()) ?? [];
  const rules = warehouseIds.slice(0, 3).map((id) => permissiveWarehouseFilter(id));
  await driver.client.saveFilters(permissiveFilters(rules, {}));
  await setSystemSwitch(driver, true);
  const { profile } = await recordOf(driver);
  await object.configure(owner, profile);
  return { ...driver, warehouseIds };
}

describe("after the platform's region changed, the object of the former one", () => {
  it("works on for its driver, until they link the object of today: then it is woken and erases itself", async () => {
    const driver = await createFormerDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await runDurableObjectAlarm(formerObject(driver));
    expect((await formerObject(driver).snapshot()).held).toHaveLength(1);
    await linkPlatformAccount({ ...apiTarget, client: driver.client }, driver.email);
    await expect.poll(() => stateKeys(driver)).toEqual([]);
    await publishOffer(driver.warehouseIds[0]!, { inMinutes: 600 });
    await runDurableObjectAlarm(formerObject(driver));
    expect(await stateKeys(driver)).toEqual([]);
    // Its captures are with the object of today.
    const { items } = await driver.client.fetchJson<BlocksResponse>("GET", "/flex/v1/blocks?type=won");
    expect(items.map((item) => item.type === "won" && item.block.offerId)).toEqual([offerId]);
    expect(await listDriverObjects(openDb(env.DB), driver.driverId)).toEqual([`enam:${driver.driverId}`]);
  });

  it("is in its driver's export, with log, listings and captured blocks", async () => {
    const driver = await createFormerDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await runDurableObjectAlarm(formerObject(driver));
    const file = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(file.blocksWon.map((block) => block.offerId)).toEqual([offerId]);
    expect(file.held.map((block) => block.offerId)).toEqual([offerId]);
    expect(file.warehouses.map(({ warehouseId }) => warehouseId)).toEqual(
      expect.arrayContaining([...driver.warehouseIds]),
    );
    expect(file.log.flatMap((entry) => capturedIn(entry)).map((block) => block.offerId)).toEqual([offerId]);
    expect(JSON.stringify(file.listings)).toContain(offerId);
  });

  it("is in the export that operators make of its driver", async () => {
    const driver = await createFormerDriver();
    const offerId = await publishOffer(driver.warehouseIds[0]!);
    await runDurableObjectAlarm(formerObject(driver));
    await addAccount(driver);
    const id = crypto.randomUUID();
    const at = deployment({ IDENTITY: "embedded", OPS_OWNERS: `${OWNER},second@example.com` });
    const owner = operatorClient(OWNER, at);
    await owner.do(driver, { act: "export_data", reason: "the driver asked" }, id);
    const yes = { body: { approve: true, reason: "I agree" }, key: crypto.randomUUID() };
    await operatorClient("second@example.com", at).call("POST", `/requests/${id}`, yes);
    const response = await owner.call("GET", `/requests/${id}/export`);
    const file = await parseResponse<DriverExport>(response, "export");
    expect(file.held.map((block) => block.offerId)).toEqual([offerId]);
    expect(file.log.flatMap((entry) => capturedIn(entry)).map((block) => block.offerId)).toEqual([offerId]);
  });

  it("is exported beside the object of today, whose log comes last, and each block once", async () => {
    const driver = await createFormerDriver();
    const first = await publishOffer(driver.warehouseIds[0]!);
    await runDurableObjectAlarm(formerObject(driver));
    const today = driverStub(env, "enam", driver.driverId);
    await linkObject(today, driver);
    const second = await publishOffer(driver.warehouseIds[0]!, { inMinutes: 600 });
    await runDurableObjectAlarm(today);
    const file = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(file.blocksWon.map((block) => block.offerId)).toEqual([first, second]);
    expect(file.log.flatMap((entry) => capturedIn(entry)).map((block) => block.offerId)).toEqual([
      first,
      second,
    ]);
    expect(file.held.map((block) => block.offerId).toSorted()).toEqual([first, second].toSorted());
  });

  it("erases itself where a dashboard's socket or the watchdog wakes it", async () => {
    for (const wake of [
      (driver: TestDriver) => formerObject(driver).fetch("https://driver/live"),
      (driver: TestDriver) => formerObject(driver).wake(),
    ]) {
      const driver = await createLinkedDriver();
      const record = await recordOf(driver);
      await formerObject(driver).configure(toDriverOwner(record), record.profile);
      expect(await stateKeys(driver)).toContain("owner");
      await evictDurableObject(formerObject(driver));
      await wake(driver);
      expect(await stateKeys(driver)).toEqual([]);
    }
  });

  it("holds neither tokens nor a log once the account is deleted, though nothing wakes it", async () => {
    const driver = await createFormerDriver();
    expect(await stateKeys(driver)).toEqual(expect.arrayContaining(["owner", "tokens"]));
    expect((await driver.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    expect(await stateKeys(driver)).toEqual([]);
    expect(await listDriverObjects(openDb(env.DB), driver.driverId)).toEqual([]);
  });

  it("erases itself with its hourly work where nobody could wake it, and asks for no other", async () => {
    const driver = await createLinkedDriver();
    const record = await recordOf(driver);
    const configure = () => formerObject(driver).configure(toDriverOwner(record), record.profile);
    await configure();
    await configure();
    expect(await stateKeys(driver)).toContain("owner");
    advanceClock(80 * 60_000);
    await configure();
    await expect.poll(() => stateKeys(driver)).toEqual([]);
  });

  it("has no tokens once the driver unlinks, and erases itself as it is woken", async () => {
    const driver = await createFormerDriver();
    expect((await driver.client.call("DELETE", "/flex/v1/setup")).status).toBe(204);
    expect(await stateKeys(driver)).not.toContain("tokens");
    expect((await recordOf(driver)).row.proxyInstalled).toBe(false);
    await evictDurableObject(formerObject(driver));
    await formerObject(driver).wake();
    expect(await stateKeys(driver)).toEqual([]);
  });

  it("captures nothing once an operator disabled the driver", async () => {
    const driver = await createFormerDriver();
    await addAccount(driver);
    const owner = operatorClient(OWNER, embedded);
    const found = await owner.find(driver.phoneNumber);
    await owner.do({ driverId: found.id }, { act: "disable", reason: "a test" });
    await publishOffer(driver.warehouseIds[0]!);
    await runDurableObjectAlarm(formerObject(driver));
    expect(await formerObject(driver).snapshot()).toMatchObject({ phase: { kind: "off" }, held: [] });
  });
});
