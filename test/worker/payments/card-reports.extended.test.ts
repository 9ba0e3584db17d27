import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { resetPlatform } from "../harness.ts";
import {
  callStripeSandbox,
  clearFaults,
  deliverAll,
  fetchEvents,
  followPayments,
} from "../payments-harness.ts";
import {
  agreeToRenewal,
  comeToCharge,
  createServedDriver,
  liveThrough,
  PAID_BY_HAND,
  paymentsOf,
  renewalOf,
  textsAbout,
} from "../renewal-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(clearFaults);
afterEach(() => vi.unstubAllGlobals());

it.each([
  ["warned of", "warn", "radar.early_fraud_warning.created"],
  ["disputed", "dispute", "charge.dispute.created"],
])("a renewal whose payment was %s is paused by the event, and tells its driver", async (_how, act, type) => {
  const driver = await createServedDriver();
  const { intentId } = await agreeToRenewal(driver);
  await comeToCharge(driver);
  await callStripeSandbox(`intents/${intentId}/${act}`, {});
  expect((await fetchEvents(intentId)).map((event) => event.type)).toContain(type);
  await deliverAll(intentId);
  expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "card_disputed" });
  await expect.poll(() => textsAbout(driver, "was disputed, so we won't charge it")).toHaveLength(1);
  await followPayments();
  await liveThrough(driver);
  expect((await paymentsOf(driver)).map(({ renewed }) => renewed)).toEqual([PAID_BY_HAND.renewed]);
});
