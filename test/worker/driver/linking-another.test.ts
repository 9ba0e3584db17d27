import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import { postJson } from "../../support/sandbox-client.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  createDriver,
  createLinkedDriver,
  driverObject,
  fetchAccepts,
  fetchPollCount,
  injectFault,
  platformWorld,
  publishOffer,
  resetPlatform,
  runAlarm,
  whileHeld,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const readStep = ({ client }: TestDriver) => client.call("GET", "/flex/v1/setup");
const codeOf = async (answer: Response) => (await answer.json<ErrorResponse>()).code;
const linkedEmail = async (driver: TestDriver) => {
  const { Item } = await driver.client.fetchJson<{ Item: { flexEmail: string } }>("GET", "/flex/v1/user");
  return Item.flexEmail;
};

/** Begins to link another account, up to the approval, which is given. */
async function beginLinking({ client }: TestDriver, email: string): Promise<void> {
  await client.sealed("POST", "/flex/v1/setup/login", { email, password: "right" });
  const latest = async () =>
    (await platformWorld(apiTarget)).sessions.filter((known) => known.email === email).at(-1)!;
  await client.sealed("POST", "/flex/v1/setup/otp", { code: (await latest()).code });
  await postJson(apiTarget, `/sandbox/platform/sessions/${(await latest()).id}/approve`, {});
}

async function isLinkedAtPlatform(email: string): Promise<boolean> {
  const { drivers } = await platformWorld(apiTarget);
  return drivers.some((known) => known.email === email && known.linked);
}

describe("while another account is being linked", () => {
  it("offers are taken for the present one until the other is claimed", async () => {
    const driver = await createActiveDriver();
    const other = { ...driver, email: `other-${driver.email}` };
    await beginLinking(driver, other.email);
    const before = await fetchPollCount(driver);
    let polls = { ofPresent: 0, ofOther: 0 };
    await whileHeld(
      "readDriver",
      () => readStep(driver),
      async () => {
        await publishOffer(driver.warehouseIds[0]!);
        await runAlarm(driver);
        await expect.poll(async () => (await fetchAccepts()).map(({ status }) => status)).toEqual([200]);
        polls = {
          ofPresent: (await fetchPollCount(driver)) - before,
          ofOther: await fetchPollCount(other),
        };
      },
    );
    expect(polls).toEqual({ ofPresent: expect.any(Number), ofOther: 0 });
    expect(polls.ofPresent).toBeGreaterThan(0);
    expect([await driver.client.setup(), await linkedEmail(driver)]).toEqual([
      { step: "linked" },
      other.email,
    ]);
    await runAlarm(driver);
    await expect.poll(() => fetchPollCount(other)).toBeGreaterThan(0);
  });

  it("unlinking ends both sessions", async () => {
    const driver = await createActiveDriver();
    const other = `other-${driver.email}`;
    await beginLinking(driver, other);
    await injectFault({ operation: "readDriver", fault: "503", times: 1 });
    expect(await codeOf(await readStep(driver))).toBe("platform_unreachable");
    expect([await isLinkedAtPlatform(driver.email), await isLinkedAtPlatform(other)]).toEqual([true, true]);
    await driver.client.call("DELETE", "/flex/v1/setup");
    expect([await isLinkedAtPlatform(driver.email), await isLinkedAtPlatform(other)]).toEqual([false, false]);
  });

  it("beginning again ends the session that was approved, and leaves the present link", async () => {
    const driver = await createActiveDriver();
    const other = `other-${driver.email}`;
    await beginLinking(driver, other);
    await injectFault({ operation: "readDriver", fault: "503", times: 1 });
    await readStep(driver);
    await driver.client.sealed("POST", "/flex/v1/setup/login", {
      email: `third-${driver.email}`,
      password: "right",
    });
    await expect.poll(() => isLinkedAtPlatform(other)).toBe(false);
    expect(await isLinkedAtPlatform(driver.email)).toBe(true);
    await runAlarm(driver);
    expect((await driverObject(driver).snapshot()).isLinked).toBe(true);
  });
});

it("ends the former account's session once another is claimed, and again until the platform has answered", async () => {
  const driver = await createActiveDriver();
  const other = { ...driver, email: `other-${driver.email}` };
  await injectFault({ operation: "endSession", fault: "503", times: 1 });
  await beginLinking(driver, other.email);
  expect(await driver.client.setup()).toEqual({ step: "linked" });
  await expect
    .poll(async () => {
      advanceClock(6_000);
      await driverObject(driver).wake();
      return isLinkedAtPlatform(driver.email);
    })
    .toBe(false);
  expect(await isLinkedAtPlatform(other.email)).toBe(true);
  await runAlarm(driver);
  expect((await driverObject(driver).snapshot()).isLinked).toBe(true);
});

it("ends no session where the same account is linked again: its device stays the same", async () => {
  const driver = await createActiveDriver();
  await injectFault({ operation: "endSession", fault: "503" });
  await beginLinking(driver, driver.email);
  expect(await driver.client.setup()).toEqual({ step: "linked" });
  const left = await runInDurableObject(driverObject(driver), (_object, { storage }) =>
    storage.sql.exec(`SELECT id FROM outbox WHERE value LIKE '%session_end%'`).toArray(),
  );
  expect(left).toEqual([]);
});

it("leaves the present link alone where another driver has the account, and ends the new session", async () => {
  const first = await createLinkedDriver();
  const second = await createActiveDriver();
  await beginLinking(second, first.email);
  const answer = await readStep(second);
  expect([answer.status, await codeOf(answer)]).toEqual([409, "link_account_taken"]);
  expect([await second.client.setup(), await linkedEmail(second)]).toEqual([
    { step: "linked" },
    second.email,
  ]);
  await publishOffer(second.warehouseIds[0]!);
  await runAlarm(second);
  await expect.poll(async () => (await fetchAccepts()).map(({ status }) => status)).toEqual([200]);
  expect((await driverObject(second).snapshot()).isLinked).toBe(true);
  // Only the first driver's own session was left.
  await first.client.call("DELETE", "/flex/v1/setup");
  await expect.poll(() => isLinkedAtPlatform(first.email)).toBe(false);
  expect(await isLinkedAtPlatform(second.email)).toBe(true);
});

it("completes a session that a former release had approved", async () => {
  const driver = await createDriver();
  await beginLinking(driver, driver.email);
  await injectFault({ operation: "readDriver", fault: "503", times: 1 });
  await readStep(driver);
  await runInDurableObject(driverObject(driver), (_object, { storage }) => {
    storage.sql.exec(
      `INSERT INTO state (key, value, version)
       SELECT 'tokens', json_quote(value ->> '$.sealedTokens'), 1 FROM state WHERE key = 'linkSession'`,
    );
    storage.sql.exec(
      `UPDATE state SET value = json_remove(json_set(value, '$.state', 'approved'), '$.sealedTokens')
       WHERE key = 'linkSession'`,
    );
  });
  await evictDurableObject(driverObject(driver));
  expect(await driver.client.setup()).toEqual({ step: "linked" });
});
