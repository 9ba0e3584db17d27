import { describe, expect, it } from "vitest";
import { listPlans } from "../../worker/payments/plans.ts";
import { preparePayment } from "../../worker/payments/prepare-payment.ts";
import { quotePlan } from "../../worker/payments/quote.ts";
import type { PrepareInput } from "../../worker/contract/payments.ts";
import {
  DAY_MS,
  DRIVER,
  FULL,
  HOUR_MS,
  MINUTE_MS,
  NOW,
  openCheckout,
  refuse,
  type Checkout,
} from "./checkout-harness.ts";

function open(settings: Record<string, unknown> = {}, change: { waiting_for_spot?: number } = {}): Checkout {
  const at = openCheckout(settings);
  at.addDriver(DRIVER, { change });
  return at;
}

async function pay(at: Checkout, input: Partial<PrepareInput> = {}) {
  const { plan = "7days" } = input;
  const wish = { plan, points: 0, totalCents: FULL[plan], lastPaymentId: null, ...input };
  return preparePayment(at.checkout, await at.driver(), wish);
}

/** A sale for everybody, or with `driverId` a price for one. */
function sell(
  at: Checkout,
  { plan = "7days", cents = 4000, driverId = null, endsAt = NOW + HOUR_MS }: Partial<Sale> = {},
): void {
  const kind = driverId === null ? "flash_sale" : "special_price";
  at.run(
    `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    `sale-${plan}`,
    kind,
    plan,
    cents,
    driverId,
    NOW - HOUR_MS,
    endsAt,
  );
}
type Sale = { plan: string; cents: number; driverId: string | null; endsAt: number };

function raffle(at: Checkout, { id = "raffle", plan = "14days", endsAt = NOW + DAY_MS } = {}): void {
  at.run(
    `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES (?, ?, ?, ?, 10, 'hash')`,
    id,
    plan,
    NOW - DAY_MS,
    endsAt,
  );
}

/** Declined cards, so many minutes ago. */
function decline(at: Checkout, ...minutesAgo: number[]): void {
  at.run(
    `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, revision)
     VALUES ('old', ?, 'pi_old', '7days', 'abandoned', 'USD', 4987, 0, 0, 0, 35, 5022, 0, 0, 1)`,
    DRIVER,
  );
  for (const [index, minutes] of minutesAgo.entries())
    at.run(
      `INSERT INTO stripe_events (id, type, intent_id, received_at) VALUES (?, 'payment_intent.payment_failed', 'pi_old', ?)`,
      `evt_${index}`,
      NOW - minutes * MINUTE_MS,
    );
}

const plainQuote = {
  plan: "7days",
  currency: "USD",
  priceId: "7days-1",
  priceCents: 4987,
  discount: null,
  discountKind: null,
  discountCents: 0,
  points: 0,
  pointsCents: 0,
  feeCents: 35,
  totalCents: 5022,
  serviceUntil: NOW + 7 * DAY_MS,
  entersRaffle: false,
  renewalCapCents: 5022,
};

describe("a payment for what the driver saw", () => {
  it("is ready for the card, with the service that it would buy", async () => {
    const at = open();
    expect(await pay(at)).toEqual({
      ok: true,
      response: { paymentId: at.payment()?.["id"], clientSecret: "pi_2_secret", quote: plainQuote },
    });
  });

  it("by points alone needs no card, no keys and no patience after declines", async () => {
    const at = open();
    at.givePoints(700);
    decline(at, 1, 2, 3, 4, 5);
    const deps = { ...at.checkout.deps, config: { ...at.checkout.deps.config, cards: null } };
    const input = { plan: "7days", points: 700, totalCents: 0, lastPaymentId: null } as const;
    const paid = await preparePayment({ ...at.cardless, deps }, await at.driver(), input);
    expect(paid).toEqual({
      ok: true,
      response: {
        paymentId: at.payment()?.["id"],
        clientSecret: null,
        // The record was loaded before the payment: the end of service is counted once.
        quote: { ...plainQuote, points: 700, pointsCents: 4987, feeCents: 0, totalCents: 0 },
      },
    });
  });

  it.each([
    ["waits for a spot", "waiting_for_spot", { waiting_for_spot: 1 }, ""],
    [
      "is not linked where spots are counted",
      "not_linked",
      {},
      `INSERT INTO city_spots VALUES ('Austin', 5)`,
    ],
  ] as const)("is refused to a driver who %s", async (_name, code, change, sql) => {
    const at = open({}, change);
    if (sql) at.run(sql);
    expect(await pay(at)).toEqual({ ok: false, code });
    expect(at.bank.asked).toEqual([]);
  });

  it("is ready for a driver who has a spot, where spots are counted", async () => {
    const at = open();
    at.run(`INSERT INTO city_spots VALUES ('Austin', 5)`);
    at.run(
      `INSERT INTO spots (driver_id, city, status, since, check_at) VALUES (?, 'Austin', 'held', 0, 0)`,
      DRIVER,
    );
    expect(await pay(at)).toMatchObject({ ok: true });
  });

  it("is refused where another went through that the page did not know of", async () => {
    const at = open();
    expect(await pay(at, { lastPaymentId: "unknown" })).toEqual({ ok: false, code: "already_paid" });
  });

  it("is told of the payment into which its points went, and not that they are gone", async () => {
    const at = open();
    at.givePoints(700);
    await pay(at, { points: 700, totalCents: 0 });
    expect(await pay(at, { points: 700, totalCents: 0 })).toEqual({ ok: false, code: "already_paid" });
  });

  it("is made once where two tabs pay with points at once", async () => {
    const at = open();
    at.givePoints(1000);
    const [one, other] = await Promise.all([
      pay(at, { points: 700, totalCents: 0 }),
      pay(at, { plan: "3days", points: 300, totalCents: 0 }),
    ]);
    expect(one).toMatchObject({ ok: true });
    expect(other).toEqual({ ok: false, code: "already_paid" });
    expect(at.rows(`SELECT plan FROM payments`)).toEqual([{ plan: "7days" }]);
  });

  it("is refused at another price, and says where only points lack", async () => {
    const at = open();
    expect(await pay(at, { totalCents: 5021 })).toEqual({ ok: false, code: "price_changed" });
    at.givePoints(100);
    const { totalCents } = await quotePlan(at.checkout, await at.driver(), { plan: "7days", points: 100 });
    at.run(`DELETE FROM point_entries`);
    expect(await pay(at, { points: 100, totalCents })).toEqual({ ok: false, code: "points_short" });
    expect(at.bank.asked).toEqual([]);
  });

  it("is made at the price that was quoted for half an hour", async () => {
    const at = open();
    at.run(`INSERT INTO plans VALUES ('7days-2', '7days', 5987, ?)`, NOW);
    at.clock.now = NOW + 29 * MINUTE_MS;
    expect(await pay(at, { priceId: "7days-1" })).toMatchObject({ ok: true });
    expect(at.payment()).toMatchObject({ price_id: "7days-1", price_cents: 4987 });
    at.clock.now = NOW + 31 * MINUTE_MS;
    expect(await pay(at, { priceId: "7days-1" })).toEqual({ ok: false, code: "price_changed" });
    expect(await pay(at)).toEqual({ ok: false, code: "price_changed" });
  });

  it.each([
    ["another cap", { capCents: 5021, words: 1 }, {}],
    ["other words", { capCents: 5022, words: 2 }, {}],
    ["points alone, which keep no card", { capCents: 5022, words: 1 }, { points: 700, totalCents: 0 }],
  ])("is refused with consent to %s", async (_name, renewal, input) => {
    const at = open();
    at.givePoints(700);
    expect(await pay(at, { renewal, ...input })).toEqual({ ok: false, code: "price_changed" });
    expect(at.payment()).toBeUndefined();
  });

  it("keeps consent to what is shown", async () => {
    const at = open();
    expect(await pay(at, { renewal: { capCents: 5022, words: 1 } })).toMatchObject({ ok: true });
    expect(at.payment()).toMatchObject({ renewal_cap_cents: 5022, renewal_words: 1 });
  });

  it("is refused where no keys are set", async () => {
    const at = open();
    const deps = { ...at.checkout.deps, config: { ...at.checkout.deps.config, cards: null } };
    const input = { plan: "7days", points: 0, totalCents: 5022, lastPaymentId: null } as const;
    const refused = await preparePayment({ ...at.cardless, deps }, await at.driver(), input);
    expect(refused).toEqual({ ok: false, code: "cards_unavailable" });
  });

  it("is refused after five declines within an hour, until the oldest is an hour old", async () => {
    const at = open();
    decline(at, 1, 2, 3, 4, 50);
    const retryAt = NOW + 10 * MINUTE_MS;
    expect(await pay(at)).toEqual({ ok: false, code: "payments_paused", retryAt });
    at.clock.now = retryAt;
    expect(await pay(at)).toMatchObject({ ok: true });
    const patient = open();
    decline(patient, 1, 2, 3, 4);
    expect(await pay(patient)).toMatchObject({ ok: true });
  });

  it("waits for what the bank has", async () => {
    const at = open();
    await pay(at);
    at.bank.change("pi_2", { status: "processing" });
    expect(await pay(at)).toEqual({ ok: false, code: "payment_processing" });
  });

  it("that was paid in another tab is shown as that", async () => {
    const at = open();
    await pay(at);
    at.bank.pay("pi_2");
    expect(await pay(at)).toMatchObject({
      ok: true,
      response: { paymentId: at.payment()?.["id"], clientSecret: null },
    });
  });

  it("is a conflict where the bank gives no secret, or the spot is gone in that instant", async () => {
    const at = open();
    at.bank.next = { clientSecret: null };
    expect(await pay(at)).toEqual({ ok: false, code: "conflict" });
    const other = open();
    const driver = await other.driver();
    other.run(`UPDATE users SET waiting_for_spot = 1`);
    const input = { plan: "7days", points: 0, totalCents: 5022, lastPaymentId: null } as const;
    expect(await preparePayment(other.checkout, driver, input)).toEqual({ ok: false, code: "conflict" });
    other.givePoints(100);
    const { totalCents } = await quotePlan(other.checkout, driver, { plan: "7days", points: 100 });
    const withPoints = { ...input, points: 100, totalCents };
    expect(await preparePayment(other.checkout, driver, withPoints)).toEqual({
      ok: false,
      code: "points_short",
    });
  });
});

describe("a quote", () => {
  it("shows the discount and when it ends; its renewal costs the list price at most", async () => {
    const at = open();
    sell(at);
    expect(await quotePlan(at.checkout, await at.driver(), { plan: "7days", points: 0 })).toEqual({
      ...plainQuote,
      discount: { kind: "flash_sale", priceCents: 4000, endsAt: NOW + HOUR_MS },
      discountKind: "flash_sale",
      discountCents: 987,
      feeCents: 28,
      totalCents: 4028,
    });
  });

  it("has as many points as there are, and ends where present service does", async () => {
    const at = openCheckout();
    at.addDriver(DRIVER, { serviceMs: 3 * DAY_MS });
    at.givePoints(70);
    expect(await quotePlan(at.checkout, await at.driver(), { plan: "7days", points: 700 })).toMatchObject({
      points: 70,
      serviceUntil: NOW + 10 * DAY_MS,
    });
  });

  it("enters the raffle of its plan, at the full price only", async () => {
    const at = open();
    raffle(at);
    const entersRaffle = async (plan: "7days" | "14days", points = 0) =>
      (await quotePlan(at.checkout, await at.driver(), { plan, points })).entersRaffle;
    expect(await entersRaffle("14days")).toBe(true);
    expect(await entersRaffle("7days")).toBe(false);
    at.givePoints(100);
    expect(await entersRaffle("14days", 100)).toBe(false);
  });
});

describe("the plans", () => {
  const plan = (name: string, days: number, [priceCents, perDayCents, pointsCost]: number[]) => {
    return { plan: name, days, priceCents, discount: null, payCents: priceCents, perDayCents, pointsCost };
  };

  it("come with all that choosing one needs", async () => {
    const at = openCheckout();
    at.addDriver(DRIVER, { serviceMs: DAY_MS });
    at.givePoints(120);
    raffle(at, { id: "later", endsAt: NOW + 2 * DAY_MS });
    raffle(at);
    expect(await listPlans(at.checkout, await at.driver())).toEqual({
      currency: "USD",
      cardsReady: true,
      paymentMethods: ["card", "link"],
      minChargeCents: 50,
      feeMillionths: 7000,
      points: 120,
      plans: [
        plan("3days", 3, [3499, 1166, 300]),
        plan("7days", 7, [4987, 712, 700]),
        plan("14days", 14, [8999, 643, 1400]),
        plan("30days", 30, [16_999, 567, 3000]),
      ],
      serviceUntil: NOW + DAY_MS,
      lastPaymentId: null,
      inProgress: null,
      pausedUntil: null,
      raffle: { id: "raffle", plan: "14days", endsAt: NOW + DAY_MS, winners: 10 },
    });
  });

  it("say what is in progress, and until when a driver waits after declines", async () => {
    const at = open();
    await pay(at);
    decline(at, 1, 2, 3, 4, 50);
    expect(await listPlans(at.checkout, await at.driver())).toMatchObject({
      inProgress: {
        id: at.payment()?.["id"],
        status: "open",
        plan: "7days",
        currency: "USD",
        totalCents: 5022,
        since: NOW,
        canCancel: true,
      },
      pausedUntil: NOW + 10 * MINUTE_MS,
    });
  });

  it("name the last payment", async () => {
    const at = open();
    at.givePoints(700);
    await pay(at, { points: 700, totalCents: 0 });
    expect((await listPlans(at.checkout, await at.driver())).lastPaymentId).toBe(at.payment()?.["id"]);
  });

  it("name no raffle that can't be entered: without cards, at a discount, for a plan that is not sold", async () => {
    const at = open();
    raffle(at, { plan: "1day" });
    expect((await listPlans(at.checkout, await at.driver())).raffle).toBeNull();
    raffle(at, { id: "other" });
    expect((await listPlans(at.cardless, await at.driver())).raffle).toBeNull();
    sell(at, { plan: "14days" });
    expect((await listPlans(at.checkout, await at.driver())).raffle).toBeNull();
  });

  it("say that cards can't be charged while Stripe refuses the key", async () => {
    const at = open();
    raffle(at);
    at.bank.during("checkKey", refuse({ isUnauthorized: true }));
    expect(await listPlans(at.checkout, await at.driver())).toMatchObject({
      cardsReady: false,
      raffle: null,
    });
  });
});
