import { runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  createReadyDriver,
  driverObject,
  fetchAccepts,
  injectFault,
  platformWorld,
  publishOffer,
  resetPlatform,
  runAlarm,
  whileFirstHeld,
  whileHeld,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const unlink = ({ client }: TestDriver) => client.call("DELETE", "/flex/v1/setup");
const acceptStatuses = async () => (await fetchAccepts()).map(({ status }) => status);

async function isLinkedAtPlatform({ email }: TestDriver): Promise<boolean> {
  const { drivers } = await platformWorld(apiTarget);
  return drivers.some((known) => known.email === email && known.linked);
}

/** Everything that the object stores under a key or in the outbox, as text. */
function storedSecrets(driver: TestDriver): Promise<string[]> {
  return runInDurableObject(driverObject(driver), (_object, { storage }) =>
    storage.sql
      .exec<{ value: string }>(
        `SELECT value FROM state WHERE key IN ('tokens', 'linkSession')
         UNION ALL SELECT value FROM outbox WHERE value LIKE '%session_end%'`,
      )
      .toArray()
      .map(({ value }) => value),
  );
}

/** The remainder when the object wakes this much later. */
async function secretsAfter(driver: TestDriver, lengthMs: number): Promise<string[]> {
  advanceClock(lengthMs);
  await driverObject(driver).wake();
  return storedSecrets(driver);
}

describe("while the platform doesn't answer the end of the session", () => {
  it("nothing is taken for a driver who unlinks", async () => {
    const driver = await createActiveDriver();
    await whileHeld(
      "endSession",
      () => unlink(driver),
      async () => {
        expect((await driverObject(driver).snapshot()).phase).toEqual({ kind: "needs_link" });
        await publishOffer(driver.warehouseIds[0]!);
        await runAlarm(driver);
        advanceClock(5_000);
        await runAlarm(driver);
      },
    );
    expect([await acceptStatuses(), await isLinkedAtPlatform(driver)]).toEqual([[], false]);
    expect(await storedSecrets(driver)).toEqual([]);
  });

  it("nothing is taken for a driver who leaves, and the account is erased all the same", async () => {
    const driver = await createActiveDriver();
    await whileHeld(
      "endSession",
      () => driver.client.call("DELETE", "/flex/v1/user"),
      async () => {
        await publishOffer(driver.warehouseIds[0]!);
        await runAlarm(driver);
        const registered = async () => (await driver.client.call("GET", "/flex/v1/user")).status;
        await expect.poll(registered, { timeout: 10_000 }).toBe(404);
      },
    );
    expect([await acceptStatuses(), await storedSecrets(driver)]).toEqual([[], []]);
  });
});

describe("the end of a session", () => {
  it("is repeated until the platform has answered it", async () => {
    const driver = await createActiveDriver();
    await injectFault({ operation: "endSession", fault: "500", times: 2 });
    expect((await unlink(driver)).status).toBe(204);
    expect([await isLinkedAtPlatform(driver), (await storedSecrets(driver)).length]).toEqual([true, 1]);
    await expect.poll(() => secretsAfter(driver, 6_000)).toEqual([]);
    expect(await isLinkedAtPlatform(driver)).toBe(false);
  });

  it("refreshes an access token that is no longer good, and keeps the new pair for the next try", async () => {
    const driver = await createActiveDriver();
    await injectFault({ operation: "endSession", fault: "gateway", status: 401, times: 1 });
    await injectFault({ operation: "endSession", fault: "503", times: 1 });
    await unlink(driver);
    expect(await isLinkedAtPlatform(driver)).toBe(true);
    // Later than the platform would answer a repeat of the first refresh.
    advanceClock(120_000);
    await resetPlatform({ reset: false, now: Date.now() + 120_000 });
    await expect.poll(() => secretsAfter(driver, 120_000)).toEqual([]);
    expect(await isLinkedAtPlatform(driver)).toBe(false);
  });

  it("is given up after an hour, and the tokens with it", async () => {
    const driver = await createActiveDriver();
    await injectFault({ operation: "endSession", fault: "500" });
    await unlink(driver);
    await expect.poll(() => secretsAfter(driver, 301_000), { interval: 1 }).toEqual([]);
    expect(await isLinkedAtPlatform(driver)).toBe(true);
  });
});

it("an accept that waits for a fresh token is not sent after unlinking", async () => {
  const driver = await createReadyDriver();
  await publishOffer(driver.warehouseIds[0]!);
  await injectFault({ operation: "acceptOffer", fault: "gateway", status: 401, times: 1 });
  await whileFirstHeld("refreshTokens", driver, () => unlink(driver));
  expect(await acceptStatuses()).toEqual([401]);
  expect((await driverObject(driver).snapshot()).phase).toEqual({ kind: "needs_link" });
});
