import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createKeys } from "../../../durable/runtime/keys.ts";
import type { Receipt } from "../../../worker/contract/money/payments.ts";
import type { ReceiptLinkResponse } from "../../../worker/contract/money/receipt-link.ts";
import { makeOwnerLink } from "../../../worker/payments/owner-link.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { signUpMember, type Member } from "../embedded-pool.ts";
import { apiTarget, resetPlatform, type TestDriver } from "../harness.ts";
import {
  callStripeSandbox,
  clearFaults,
  codeOf,
  createPreparedPayment,
  deliverAll,
  fetchPayment,
  fetchTexts,
  payIntent,
} from "../payments-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(clearFaults);

const LINK = /\/receipts#([\w-]{38})$/;

/** An account of our own pool, with a record. */
async function register(): Promise<TestDriver & Member> {
  const member = await signUpMember();
  const { client, phoneNumber } = member;
  await client.sealed("PUT", "/flex/v1/user", { name: "Ana Ruiz", phoneNumber });
  return member as TestDriver & Member;
}

async function pay(driver: TestDriver): Promise<{ paymentId: string; intentId: string }> {
  const prepared = await createPreparedPayment(driver, { plan: "7days" });
  await payIntent(prepared.intentId);
  await fetchPayment(driver, prepared.paymentId);
  return prepared;
}

async function leave(driver: TestDriver): Promise<string> {
  expect((await driver.client.call("DELETE", "/flex/v1/user")).status).toBeLessThan(300);
  const last = async () => (await fetchTexts(driver))[0] ?? "";
  await expect.poll(last).toMatch(/deleted/);
  return last();
}

const open = (authorization: string) =>
  apiTarget.fetch(`${apiTarget.origin}/flex/v1/receipt-link`, { headers: { authorization } });

describe("the last text of an account", () => {
  it("opens its receipts, with refunds that came later, without its name", async () => {
    const driver = await register();
    const { paymentId, intentId } = await pay(driver);
    const before = await driver.client.fetchJson<Receipt>("GET", `/flex/v1/payments/${paymentId}/receipt`);
    const token = LINK.exec(await leave(driver))?.[1] ?? "";
    await expect.poll(async () => (await open(`Link ${token}`)).status).toBe(200);
    const { receipts } = await (await open(`Link ${token}`)).json<ReceiptLinkResponse>();
    expect(receipts).toEqual([{ ...before, driverName: "" }]);
    await callStripeSandbox(`intents/${intentId}/refund`, { amount: 22 });
    await deliverAll(intentId);
    const later = await (await open(`Link ${token}`)).json<ReceiptLinkResponse>();
    expect(later.receipts.map(({ refunds }) => refunds.map(({ cents }) => cents))).toEqual([[22]]);
  });

  it("opens nothing while there is an account, as after a restore that brought it back", async () => {
    const driver = await register();
    await pay(driver);
    const token = await makeOwnerLink(createKeys(DEMO_SETTINGS.MASTER_KEYS), "receipts", driver.driverId);
    const status = async () => (await open(`Link ${token}`)).status;
    expect(await status()).toBe(410);
    await leave(driver);
    await expect.poll(status).toBe(200);
  });

  it("has no such link where nothing was ever paid", async () => {
    const driver = await register();
    expect(await leave(driver)).toMatch(/\/contact$/);
  });

  it("opens nobody else's, and nothing by a token of another use", async () => {
    const driver = await register();
    await pay(driver);
    const token = LINK.exec(await leave(driver))?.[1] ?? "";
    const changed = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
    for (const other of ["x".repeat(38), changed, token.slice(1)]) {
      const answer = await open(`Link ${other}`);
      expect([answer.status, await codeOf(answer)]).toEqual([410, "undo_expired"]);
    }
    expect((await open(`Bearer ${token}`)).status).toBe(401);
    const elsewhere = await apiTarget.fetch(`${apiTarget.origin}/flex/v1/renewal-link`, {
      headers: { authorization: `Link ${token}` },
    });
    expect(elsewhere.status).toBe(410);
  });
});
