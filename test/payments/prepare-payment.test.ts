import { describe, expect, it } from "vitest";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { preparePayment } from "../../worker/payments/prepare-payment.ts";
import { quotePlan } from "../../worker/payments/prices/quote.ts";
import { DRIVER, MINUTE_MS, NOW, decline, open, pay, plainQuote } from "./checkout-harness.ts";

describe("a payment for what the driver saw", () => {
  it("is ready for the card, with the service that it would buy", async () => {
    const at = open();
    expect(await pay(at)).toEqual({
      ok: true,
      response: { paymentId: at.payment()?.["id"], clientSecret: "pi_2_secret", quote: plainQuote },
    });
  });

  it("keeps no card that nobody asked to keep", async () => {
    const at = open();
    await pay(at);
    expect([...at.bank.intents.values()].map(({ usage }) => usage)).toEqual([null]);
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
    ["waits for a spot", "waiting_for_spot", { waitingForSpot: true }, ""],
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

  it("hears of the payment into which its points went, and not that they are gone", async () => {
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
    at.run(`INSERT INTO plans (id, plan, price_cents, valid_from) VALUES ('7days-2', '7days', 5987, ?)`, NOW);
    at.clock.now = NOW + 29 * MINUTE_MS;
    expect(await pay(at, { priceId: "7days-1" })).toMatchObject({ ok: true });
    expect(at.payment()).toMatchObject({ price_id: "7days-1", price_cents: 4987 });
    at.clock.now = NOW + 31 * MINUTE_MS;
    expect(await pay(at, { priceId: "7days-1" })).toEqual({ ok: false, code: "price_changed" });
    expect(await pay(at)).toEqual({ ok: false, code: "price_changed" });
  });

  it.each([
    ["another cap", { capCents: 5021, words: RENEWAL_WORDS }, {}],
    ["other words", { capCents: 5022, words: RENEWAL_WORDS - 1 }, {}],
    [
      "points alone, which keep no card",
      { capCents: 5022, words: RENEWAL_WORDS },
      { points: 700, totalCents: 0 },
    ],
  ])("is refused with consent to %s", async (_name, renewal, input) => {
    const at = open();
    at.givePoints(700);
    expect(await pay(at, { renewal, ...input })).toEqual({ ok: false, code: "price_changed" });
    expect(at.payment()).toBeUndefined();
  });

  it("keeps consent to what is shown", async () => {
    const at = open();
    expect(await pay(at, { renewal: { capCents: 5022, words: RENEWAL_WORDS } })).toMatchObject({ ok: true });
    expect(at.payment()).toMatchObject({ renewal_cap_cents: 5022, renewal_words: RENEWAL_WORDS });
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
