import { beforeEach, describe, expect, it } from "vitest";
import {
  areCardsReady,
  arePaymentsDegraded,
  keyRefusedAt,
  noteRefusedKey,
} from "../../../worker/payments/stripe/key-health.ts";
import { createCheckoutContext } from "../../../worker/payments/checkout.ts";
import { invitationChange } from "../../../worker/payments/refunds.ts";
import { perMinute } from "../../../durable/per-minute.ts";
import { listPublicPlans, loadPublicPrices } from "../../../worker/payments/prices/plans.ts";
import {
  DAY_MS,
  HOUR_MS,
  losePath,
  MINUTE_MS,
  NOW,
  openCheckout,
  refuse,
  type Checkout,
} from "../checkout-harness.ts";
import { refundOf } from "../ledgers.ts";

let at: Checkout;
beforeEach(() => {
  at = openCheckout();
});
const checks = () => at.bank.count("checkKey");

describe("whether cards can be charged", () => {
  const ready = () => areCardsReady(at.checkout);

  it("is checked at the bank once an hour", async () => {
    expect(await ready()).toBe(true);
    at.clock.now = NOW + HOUR_MS - 1;
    expect(await ready()).toBe(true);
    expect(checks()).toBe(1);
    at.clock.now += 1;
    expect(await ready()).toBe(true);
    expect(checks()).toBe(2);
  });

  it("is no without keys", async () => {
    expect(await areCardsReady(at.cardless)).toBe(false);
    const { deps, db } = at.checkout;
    expect(createCheckoutContext({ deps, db }).cards).not.toBeNull();
    const unset = { ...deps, config: { ...deps.config, cards: null } };
    expect(createCheckoutContext({ deps: unset, db })).toEqual({ deps: unset, db, cards: null });
  });

  it("is yes while the bank can't be reached", async () => {
    at.bank.during("checkKey", losePath(), refuse(), () => Promise.reject(new TypeError("ours")));
    for (let hour = 0; hour < 3; hour += 1) {
      expect(await ready()).toBe(true);
      at.clock.now += HOUR_MS;
    }
    expect(checks()).toBe(3);
  });

  it("is no where the bank refuses the key, and asked again each time", async () => {
    at.bank.during("checkKey", refuse({ isUnauthorized: true }));
    expect(await ready()).toBe(false);
    expect(await ready()).toBe(true);
  });

  it("is no for a minute after any call was refused the key; then it is checked", async () => {
    expect(await ready()).toBe(true);
    noteRefusedKey(at.checkout.deps.config, NOW);
    at.clock.now = NOW + MINUTE_MS - 1;
    expect(await ready()).toBe(false);
    expect(checks()).toBe(1);
    at.clock.now += 1;
    expect(await ready()).toBe(true);
    expect(checks()).toBe(2);
    expect(keyRefusedAt(at.checkout.deps.config)).toBeNull();
    expect(await ready()).toBe(true);
    expect(checks()).toBe(2);
  });
});

describe("the readiness that is loaded once a minute", () => {
  it("is kept that long, and where loading fails", async () => {
    let loads = 0;
    let isDown = false;
    const load = perMinute(async () => {
      if (isDown) throw new TypeError("down");
      loads += 1;
      return loads;
    }, 0);
    const { deps } = at.checkout;
    isDown = true;
    expect(await load(deps)).toBe(0);
    expect(at.lines("warn", "public.load.failed")).toMatchObject([{ error: "TypeError" }]);
    isDown = false;
    expect(await load(deps)).toBe(1);
    at.clock.now = NOW + MINUTE_MS - 1;
    expect(await load(deps)).toBe(1);
    at.clock.now += 1;
    expect(await load(deps)).toBe(2);
    at.clock.now += MINUTE_MS;
    isDown = true;
    expect(await load(deps)).toBe(2);
    expect(await load(openCheckout().checkout.deps)).toBe(0);
  });

  it("is the prices of a page of before, which can't do without", async () => {
    const { deps } = at.checkout;
    const prices = { "3days": 3499, "7days": 4987, "14days": 8999, "30days": 16_999 };
    at.run(`INSERT INTO plans (id, plan, price_cents, valid_from) VALUES ('7days-2', '7days', 5987, ?)`, NOW);
    at.run(`INSERT INTO plans (id, plan, price_cents, valid_from) VALUES ('3days-2', '3days', 49, ?)`, NOW);
    expect(await loadPublicPrices(deps)).toEqual({ ...prices, "7days": 5987 });
    const without = openCheckout();
    without.run(`DROP TABLE plans`);
    expect(await loadPublicPrices(without.checkout.deps)).toEqual(prices);
    const reais = openCheckout({
      CURRENCY: "BRL",
      LIST_PRICES: "3days=159,7days=229,14days=419,30days=799",
    });
    reais.run(`DROP TABLE plans`);
    expect(await loadPublicPrices(reais.checkout.deps)).toMatchObject({ "7days": 22_900 });
  });
});

describe("the plans of the public pages", () => {
  it("have the sales that are for everybody, and the raffle that can be entered", async () => {
    const { deps } = at.checkout;
    const cut = `INSERT INTO price_cuts (id, kind, plan, price_cents, driver_id, starts_at, ends_at) VALUES (?, 'flash_sale', '7days', ?, ?, ?, ?)`;
    at.run(cut, "all", 3999, null, NOW - 1, NOW + MINUTE_MS);
    at.run(cut, "one", 2999, "driver", NOW - 1, NOW + MINUTE_MS);
    at.run(cut, "later", 1999, null, NOW + 1, NOW + MINUTE_MS);
    const raffle = `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES (?, ?, ?, ?, 10, 'h')`;
    at.run(raffle, "on-sale", "7days", NOW - 1, NOW + 2 * MINUTE_MS);
    at.run(raffle, "open", "14days", NOW - 1, NOW + 3 * MINUTE_MS);
    const shown = await listPublicPlans(deps);
    expect(shown?.plans[1]).toEqual({
      plan: "7days",
      days: 7,
      priceCents: 4987,
      discount: { kind: "flash_sale", priceCents: 3999, endsAt: NOW + MINUTE_MS },
      payCents: 3999,
      perDayCents: 571,
    });
    expect(shown?.plans.map(({ discount }) => discount !== null)).toEqual([false, true, false, false]);
    expect(shown?.raffle).toEqual({ id: "open", plan: "14days", endsAt: NOW + 3 * MINUTE_MS, winners: 10 });
  });
});

describe("payments", () => {
  it("need an operator while an alert is open", async () => {
    const { deps } = at.checkout;
    expect(await arePaymentsDegraded(deps)).toBe(false);
    at.run(`INSERT INTO payment_alerts VALUES ('a', 'mismatch', 'pi', 'p', 1, NULL)`);
    expect(await arePaymentsDegraded(deps)).toBe(false);
    at.clock.now += MINUTE_MS;
    expect(await arePaymentsDegraded(deps)).toBe(true);
    at.run(`UPDATE payment_alerts SET resolved_at = 1`);
    at.clock.now += MINUTE_MS;
    expect(await arePaymentsDegraded(deps)).toBe(false);
  });

  it("are well where a bank calls a payment fraudulent that an operator keeps", async () => {
    at.run(`INSERT INTO payment_alerts VALUES ('b', 'fraud_warning', 'pi', 'p', 1, NULL)`);
    expect(await arePaymentsDegraded(at.checkout.deps)).toBe(false);
    at.clock.now += MINUTE_MS;
    expect(await arePaymentsDegraded(at.checkout.deps)).toBe(false);
  });

  it("need an operator for an hour after Stripe refused our key", async () => {
    const { deps } = at.checkout;
    noteRefusedKey(deps.config, NOW);
    at.clock.now = NOW + HOUR_MS - 1;
    expect(await arePaymentsDegraded(deps)).toBe(true);
    const other = openCheckout();
    noteRefusedKey(other.checkout.deps.config, NOW);
    other.clock.now = NOW + HOUR_MS;
    expect(await arePaymentsDegraded(other.checkout.deps)).toBe(false);
  });

  it("don't count as broken where nobody knows", async () => {
    at.run(`DROP TABLE payment_alerts`);
    expect(await arePaymentsDegraded(at.checkout.deps)).toBe(false);
  });
});

const FIGURES = {
  plan: "7days",
  priceCents: 4987,
  discountKind: null,
  discountCents: 0,
  pointsCents: 0,
} as const;

describe("a friend's payment", () => {
  const open = { status: "open", settledAt: null, totalCents: 5022 } as const;
  const paid = { status: "settled", settledAt: NOW, totalCents: 5022 } as const;
  const givenBack = { status: "refunded", settledAt: NOW } as const;
  const lost = { status: "dispute_lost", settledAt: NOW } as const;

  it.each([
    ["is paid", open, { change: paid, refunds: [] }, "grant"],
    ["is paid with points", { ...open, totalCents: 0 }, { change: paid, refunds: [] }, null],
    ["is still open", open, { change: open, refunds: [] }, null],
    ["stays paid", paid, { change: paid, refunds: [] }, null],
    [
      "is given back in part",
      paid,
      { change: { ...paid, status: "partly_refunded" }, refunds: [refundOf({})] },
      null,
    ],
    ["is given back at once", paid, { change: givenBack, refunds: [refundOf({ cents: 5022 })] }, "revoke"],
    [
      "is given back within 14 days",
      paid,
      { change: givenBack, refunds: [refundOf({ cents: 5022, at: NOW + 14 * DAY_MS })] },
      "revoke",
    ],
    [
      "is given back later",
      paid,
      { change: givenBack, refunds: [refundOf({ cents: 5022, at: NOW + 14 * DAY_MS + 1 })] },
      null,
    ],
    [
      "is given back in parts, the last of them later",
      paid,
      {
        change: givenBack,
        refunds: [refundOf({ cents: 5022 - 1 }), refundOf({ id: "re_2", cents: 1, at: NOW + 15 * DAY_MS })],
      },
      "share",
    ],
    [
      "is goodwill",
      paid,
      { change: givenBack, refunds: [refundOf({ cents: 5022, isGoodwill: true })] },
      null,
    ],
    [
      "failed to be given back",
      paid,
      { change: givenBack, refunds: [refundOf({ cents: 5022, isEffective: false })] },
      "share",
    ],
    [
      "is given back, goodwill aside",
      paid,
      {
        change: givenBack,
        refunds: [
          refundOf({ cents: 5022 }),
          refundOf({ cents: 5022, isGoodwill: true, at: NOW + 15 * DAY_MS }),
        ],
      },
      "revoke",
    ],
    [
      "is lost in a dispute, however late",
      paid,
      {
        change: lost,
        refunds: [refundOf({ cents: 5022, kind: "dispute", at: NOW + 99 * DAY_MS })],
      },
      "revoke",
    ],
    [
      "is kept after a dispute that took nothing",
      paid,
      {
        change: givenBack,
        refunds: [refundOf({ cents: 5022, kind: "dispute", isEffective: false })],
      },
      "share",
    ],
    [
      "is paid and given back before we heard",
      open,
      { change: givenBack, refunds: [refundOf({ cents: 5022 })] },
      null,
    ],
    [
      "comes back after a refund failed",
      { ...paid, status: "refunded" },
      { change: paid, refunds: [] },
      "grant",
    ],
    [
      "comes back after a dispute was won",
      { ...paid, status: "dispute_lost" },
      { change: paid, refunds: [] },
      "grant",
    ],
    [
      "is known as given back",
      { ...paid, status: "refunded" },
      { change: givenBack, refunds: [refundOf({})] },
      null,
    ],
  ] as const)("that %s changes the inviter's days as it should", (_name, payment, after, expected) => {
    expect(invitationChange({ ...FIGURES, ...payment }, after)?.kind ?? null).toBe(expected);
  });
});
