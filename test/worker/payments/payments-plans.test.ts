import { env } from "cloudflare:test";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { beforeAll, describe, expect, it } from "vitest";
import type { PlansResponse } from "../../../worker/contract/money/payments.ts";
import type { PublicConfig } from "../../../worker/contract/status.ts";
import { apiTarget, deployment, resetPlatform } from "../harness.ts";
import {
  createPayer,
  createPreparedPayment,
  fetchQuote,
  pointBalanceOf,
  cut,
  postPrepare,
  codeOf,
} from "../payments-harness.ts";

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
      paymentMethods: ["card", "link"],
      minChargeCents: 50,
      inProgress: null,
      pausedUntil: null,
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
      priceId: "7days-1",
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
      renewalCapCents: 5022,
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

describe("the raffle", () => {
  it("is not promised where a flash sale keeps a payment out of it", async () => {
    const driver = await createPayer();
    const now = Date.now();
    await env.DB.prepare(
      `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('sale', '3days', ?, ?, 10, 'h')`,
    )
      .bind(now - HOUR_MS, now + HOUR_MS)
      .run();
    const raffleOf = async () =>
      (await driver.client.fetchJson<PlansResponse>("GET", "/flex/v1/plans")).raffle?.plan;
    expect(await raffleOf()).toBe("3days");
    const sale = await cut({ plan: "3days", priceCents: 3000 });
    expect(await raffleOf()).not.toBe("3days");
    await sale.end();
  });
});

describe("a price that changes", () => {
  const setPrice = (id: string, priceCents: number, validFrom: number) =>
    env.DB.prepare(`INSERT INTO plans (id, plan, price_cents, valid_from) VALUES (?, '30days', ?, ?)`)
      .bind(id, priceCents, validFrom)
      .run();

  it("is charged from its instant on, and never under an open quote", async () => {
    const driver = await createPayer();
    const open = await fetchQuote(driver, { plan: "30days", points: 0 });
    await setPrice("30days-2", 19_999, Date.now() - 1);
    await setPrice("30days-3", 9999, Date.now() + HOUR_MS);
    await setPrice("30days-free", 0, Date.now() - 1);
    expect(await fetchQuote(driver, { plan: "30days", points: 0 })).toMatchObject({
      priceId: "30days-2",
      priceCents: 19_999,
    });
    const { quote, intentId } = await createPreparedPayment(driver, {
      plan: "30days",
      totalCents: open.totalCents,
      priceId: open.priceId,
    });
    expect([quote.priceId, quote.priceCents]).toEqual([open.priceId, 16_999]);
    expect(intentId).not.toBe("");
    const unquoted = await postPrepare(driver, { plan: "30days", points: 0, totalCents: open.totalCents });
    expect(await codeOf(unquoted)).toBe("price_changed");
    await env.DB.prepare(`UPDATE plans SET valid_from = ? WHERE id = '30days-2'`)
      .bind(Date.now() - HOUR_MS)
      .run();
    const late = await postPrepare(driver, {
      plan: "30days",
      points: 0,
      totalCents: open.totalCents,
      priceId: open.priceId,
    });
    expect(await codeOf(late)).toBe("price_changed");
    await env.DB.prepare(`DELETE FROM plans WHERE id LIKE '30days-%' AND id <> '30days-1'`).run();
  });

  it("is what the public pages show", async () => {
    await setPrice("30days-4", 15_000, Date.now() - 1);
    const config = await deployment({ PRODUCT_NAME: "Fresh" }).fetch(`${apiTarget.origin}/status/config`);
    expect((await config.json<PublicConfig>()).planPrices).toEqual({
      "3days": 3499,
      "7days": 4987,
      "14days": 8999,
      "30days": 15_000,
    });
    await env.DB.prepare(`DELETE FROM plans WHERE id = '30days-4'`).run();
  });
});
