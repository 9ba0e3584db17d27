import { env } from "cloudflare:test";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import type { PlansResponse } from "../../../worker/contract/money/payments.ts";
import { advanceClock, apiTarget, deployment, resetPlatform, type TestDriver } from "../harness.ts";
import {
  arrivals,
  createPayer,
  createPreparedPayment,
  deliverAll,
  fetchPayment,
  FULL,
  intentsOf,
  payIntent,
  postPrepare,
  SEVEN_DAYS_PAID,
  ledgerOf,
} from "../payments-harness.ts";

beforeAll(() => resetPlatform());
afterEach(() => resetPlatform());

const sevenDays = { plan: "7days", points: 0, totalCents: FULL["7days"] } as const;

/** Tries so many cards that are declined, and delivers what Stripe says of each. */
async function declineCards(driver: TestDriver, count: number): Promise<string> {
  const { intentId } = await createPreparedPayment(driver, { plan: "7days" });
  for (let tried = 0; tried < count; tried += 1) await payIntent(intentId, { card: "4000000000000002" });
  await deliverAll(intentId);
  return intentId;
}

describe("the limits of payment calls", () => {
  it("let a driver look as often as they like, but ask Stripe forty times a minute", async () => {
    const driver = await createPayer();
    const { paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    const seen = (await arrivals()).length;
    for (let look = 0; look < 80; look += 1) {
      expect((await fetchPayment(driver, paymentId)).payment.status).toBe("open");
    }
    expect(await arrivals(seen)).toHaveLength(40);
    advanceClock(60_001);
    await fetchPayment(driver, paymentId);
    expect(await arrivals(seen)).toHaveLength(41);
  });

  it("let a driver prepare twenty times in ten minutes, counted exactly for concurrent calls", async () => {
    const driver = await createPayer();
    await createPreparedPayment(driver, { plan: "7days" });
    const answers = await Promise.all(Array.from({ length: 24 }, () => postPrepare(driver, sevenDays)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(5);
    const { code, retryAfter } = (await refused[0]?.json<ErrorResponse>()) ?? {};
    expect([code, Number(retryAfter) > 0]).toEqual(["rate_limited", true]);
    advanceClock(600_001);
    expect((await postPrepare(driver, sevenDays)).status).toBe(200);
  });

  it("refuse an address that calls too often, by the runtime's counters", async () => {
    const driver = await createPayer();
    const keys: string[] = [];
    const PAYMENT_LIMIT = {
      limit: ({ key }: { key: string }) => Promise.resolve({ success: keys.push(key) < 2 }),
    };
    const call = () =>
      deployment({ PAYMENT_LIMIT }).fetch(`${apiTarget.origin}/flex/v1/payments`, {
        headers: { authorization: `Bearer ${driver.token}`, "cf-connecting-ip": "192.0.2.1" },
      });
    expect([(await call()).status, (await call()).status]).toEqual([200, 429]);
    expect(keys).toEqual(["192.0.2.1", "192.0.2.1"]);
  });
});

describe("after several declines", () => {
  it("the intent is closed, payments pause, and the driver reads until when", async () => {
    const driver = await createPayer();
    const intentId = await declineCards(driver, 5);
    expect((await intentsOf(driver)).map(({ id, status }) => [id, status])).toEqual([[intentId, "canceled"]]);
    const answer = await postPrepare(driver, sevenDays);
    const { code, retryAfter } = await answer.json<ErrorResponse>();
    expect([answer.status, code]).toEqual([429, "payments_paused"]);
    expect(Math.abs(Number(retryAfter) - 3600)).toBeLessThan(60);
    const plans = await driver.client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
    expect(Math.abs(Number(plans.pausedUntil) - Date.now() - 3_600_000)).toBeLessThan(60_000);
  });

  it("an hour later a good card is taken", async () => {
    const driver = await createPayer();
    await declineCards(driver, 5);
    await env.DB.prepare(`UPDATE stripe_events SET received_at = received_at - 3600001`).run();
    const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    await fetchPayment(driver, paymentId);
    expect((await ledgerOf(driver)).credits).toEqual(SEVEN_DAYS_PAID.credits);
  });

  it("four of them pause nothing, and another driver's count for nobody else", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    await declineCards(driver, 4);
    await declineCards(other, 5);
    expect((await postPrepare(driver, sevenDays)).status).toBe(200);
  });
});
