import { env } from "cloudflare:test";
import { beforeAll, describe, expect, it } from "vitest";
import type { PlansResponse } from "../../worker/contract/payments.ts";
import { resetPlatform } from "./harness.ts";
import {
  DAY_MS,
  createPayer,
  createPreparedPayment,
  fetchQuote,
  pointBalanceOf,
  cut,
} from "./payments-harness.ts";

beforeAll(() => resetPlatform());

describe("the plans", () => {
  it("have the caller's prices, points and the current raffle", async () => {
    const [driver, other] = [await createPayer({ points: 120 }), await createPayer()];
    const special = await cut({ plan: "7days", priceCents: 3000, driverId: driver.driverId });
    const now = Date.now();
    await env.DB.prepare(
      `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('r', '14days', ?, ?, 10, 'h')`,
    )
      .bind(now - 1, now + DAY_MS)
      .run();
    const plans = await driver.client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
    expect(plans).toMatchObject({
      currency: "USD",
      cardsReady: true,
      points: 120,
      raffle: { plan: "14days", endsAt: now + DAY_MS, winners: 10 },
    });
    expect(
      plans.plans.map(({ plan, payCents, discount: lower }) => [plan, payCents, lower?.kind ?? null]),
    ).toEqual([
      ["3days", 3499, null],
      ["7days", 3000, "special_price"],
      ["14days", 8999, null],
      ["30days", 16_999, null],
    ]);
    const others = await other.client.fetchJson<PlansResponse>("GET", "/flex/v1/plans");
    expect(others.plans[1]?.payCents).toBe(4987);
    await special.end();
  });
});

describe("a quote", () => {
  it("has the price breakdown and the new end of service", async () => {
    const driver = await createPayer({ points: 100 });
    const before = Date.now();
    const found = await fetchQuote(driver, { plan: "7days", points: 500 });
    expect(found).toEqual({
      plan: "7days",
      currency: "USD",
      priceCents: 4987,
      discountKind: null,
      discount: null,
      discountCents: 0,
      points: 100,
      pointsCents: 712,
      feeCents: 30,
      totalCents: 4305,
      serviceUntil: found.serviceUntil,
      entersRaffle: false,
    });
    expect(found.serviceUntil - before - 7 * DAY_MS).toBeLessThan(60_000);
  });

  it("includes points reserved by the driver's open payment", async () => {
    const driver = await createPayer({ points: 350 });
    await createPreparedPayment(driver, { plan: "7days", points: 350, totalCents: 2511 });
    expect(await pointBalanceOf(driver)).toBe(0);
    expect(await fetchQuote(driver, { plan: "7days", points: 350 })).toMatchObject({
      points: 350,
      totalCents: 2511,
    });
  });
});
