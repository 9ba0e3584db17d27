import { beforeAll, expect, it } from "vitest";
import type { InvitationsResponse } from "../../worker/contract/money/invitations.ts";
import { createPushSubscriber } from "../support/push-subscriber.ts";
import { acceptOnPlatform, platformWorld } from "../support/sandbox-client.ts";
import { newPhone } from "./embedded-pool.ts";
import { apiTarget, createReadyDriver, resetPlatform, type TestDriver } from "./harness.ts";
import { createPreparedPayment, givePoints } from "./payments-harness.ts";

beforeAll(() => resetPlatform());

type Call = [method: string, path: string, body?: unknown];

/** Changes that a page sends again where the answer was lost, of a driver who has what they need. */
async function callsOf(driver: TestDriver): Promise<Call[]> {
  const { client, email } = driver;
  const warehouseId = driver.warehouseIds[0]!;
  await givePoints(driver, 3000);
  const { subscription } = await createPushSubscriber("https://push.sandbox.test/send/1");
  const { paymentId } = await createPreparedPayment(driver, { plan: "7days" });
  const blockId = await acceptOnPlatform(apiTarget, email, { warehouseId, inMinutes: 10 });
  await client.call("GET", "/flex/v1/blocks/next");
  const { warehouses } = await platformWorld(apiTarget);
  const { location } = warehouses.find((known) => known.warehouseId === warehouseId) ?? {};
  return [
    ["PUT", "user/push", subscription],
    ["DELETE", "user/push", { endpoint: subscription.endpoint }],
    ["POST", "pause", { days: 1 }],
    ["DELETE", "pause"],
    ["POST", "feedback", { score: 9, comment: "good" }],
    ["POST", "calendar", { withPay: true }],
    ["PATCH", "calendar", { withPay: false }],
    ["DELETE", "calendar"],
    ["PUT", "payments/renewal", { on: false }],
    ["POST", `payments/${paymentId}/cancel`],
    ["POST", "rewards/redeem", { reward: "3days", idempotencyKey: crypto.randomUUID() }],
    ["POST", "user/texts/test"],
    ["POST", `blocks/${blockId}/check-in`, { ...location, accuracyMeters: 12, observedAt: Date.now() }],
    ["POST", "spot/join"],
    ["POST", "spot/take"],
    ["DELETE", "setup"],
  ];
}

it("takes each change once more where its answer was lost", async () => {
  const driver = await createReadyDriver();
  const statuses: [string, number, number][] = [];
  for (const [method, path, body] of await callsOf(driver)) {
    const send = async () => {
      const { status } = await driver.client.call(
        method,
        `/flex/v1/${path}`,
        body === undefined ? {} : { body },
      );
      return status;
    };
    statuses.push([`${method} ${path}`, await send(), await send()]);
  }
  expect(statuses.filter(([, first, second]) => first >= 300 || second !== first)).toEqual([]);
});

it("says of an invitation that is sent once more that the number has one", async () => {
  const { client } = await createReadyDriver();
  const invite = { body: { phoneNumber: newPhone().slice(2) } };
  const first = await client.call("POST", "/flex/v1/invitations", invite);
  const second = await client.call("POST", "/flex/v1/invitations", invite);
  expect([first.status, second.status, await second.json()]).toEqual([
    200,
    409,
    expect.objectContaining({ code: "already_invited" }),
  ]);
});

it("answers a repeated invitation as the first time, and refuses the number under another key", async () => {
  const { client } = await createReadyDriver();
  const phoneNumber = newPhone().slice(2);
  const invite = async (idempotencyKey: string) => {
    const answer = await client.call("POST", "/flex/v1/invitations", {
      body: { phoneNumber, idempotencyKey },
    });
    return [answer.status, await answer.json()];
  };
  expect([await invite("first-time"), await invite("first-time"), await invite("second-time")]).toEqual([
    [200, { isTexted: true }],
    [200, { isTexted: true }],
    [409, expect.objectContaining({ code: "already_invited" })],
  ]);
});

it("keeps an invitation that is sent under the key of another one", async () => {
  const { client } = await createReadyDriver();
  const phoneNumbers = [newPhone(), newPhone()].map((number) => number.slice(2));
  for (const phoneNumber of phoneNumbers)
    await client.call("POST", "/flex/v1/invitations", {
      body: { phoneNumber, idempotencyKey: "one-key-for-all" },
    });
  const list = await client.call("GET", "/flex/v1/invitations");
  const { invitations } = (await list.json()) as InvitationsResponse;
  expect(invitations.map(({ phoneNumber }) => phoneNumber?.slice(-10)).toSorted()).toEqual(
    phoneNumbers.toSorted(),
  );
});
