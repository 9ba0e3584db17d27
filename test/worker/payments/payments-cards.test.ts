import { env } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { skipTimers } from "../../support/skip-timers.ts";
import { injectFault, resetPlatform, type TestDriver } from "../harness.ts";
import {
  arrivals,
  callStripeSandbox,
  callUnderSettings,
  clearFaults,
  codeOf,
  createPayer,
  createPreparedPayment,
  cut,
  fetchPayment,
  payIntent,
  rows,
} from "../payments-harness.ts";
import { agreeToRenewal, cardsOf, paymentsOf } from "../renewal-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(clearFaults);
afterEach(() => vi.unstubAllGlobals());

/** Pays for a plan, and ticks the card form's box. */
async function pay(
  driver: TestDriver,
  { plan = "7days", ...card }: Record<string, unknown> = {},
): Promise<string> {
  const { intentId, paymentId } = await createPreparedPayment(driver, {
    plan: plan === "3days" ? plan : "7days",
  });
  await payIntent(intentId, card);
  await fetchPayment(driver, paymentId);
  return paymentId;
}

const openSession = ({ client }: TestDriver) => client.call("POST", "/flex/v1/payments/session");
const remove = ({ client }: TestDriver, id: string | undefined) =>
  client.call("DELETE", `/flex/v1/payments/cards/${id}`);

describe("a saved card", () => {
  it("is kept only for a driver who asked for it", async () => {
    const driver = await createPayer();
    expect(await cardsOf(driver)).toEqual({ cards: [], sameAgain: null });
    await pay(driver);
    expect(await cardsOf(driver)).toEqual({ cards: [], sameAgain: null });
    await pay(driver, { keep: true });
    const { cards } = await cardsOf(driver);
    expect(cards).toEqual([
      {
        id: expect.stringMatching(/^pm_/),
        type: "card",
        brand: "visa",
        last4: "4242",
        expMonth: 12,
        expYear: expect.any(Number),
      },
    ]);
  });

  it("is listed no more once it has expired or was removed", async () => {
    const driver = await createPayer();
    await pay(driver, { keep: true });
    await pay(driver, { keep: true, card: "5555555555554444" });
    const { cards } = await cardsOf(driver);
    expect(cards.map(({ last4 }) => last4)).toEqual(["4444", "4242"]);
    await callStripeSandbox(`methods/${cards[0]?.id}`, { expMonth: 1, expYear: 2020 });
    expect((await cardsOf(driver)).cards.map(({ last4 }) => last4)).toEqual(["4242"]);
    expect((await remove(driver, cards[1]?.id)).status).toBe(204);
    expect(await cardsOf(driver)).toEqual({ cards: [], sameAgain: null });
    expect((await remove(driver, cards[1]?.id)).status).toBe(404);
  });

  it("is nobody else's to see or remove", async () => {
    const [driver, other] = [await createPayer(), await createPayer()];
    await pay(driver, { keep: true });
    await pay(other, { keep: true });
    const { cards } = await cardsOf(driver);
    expect((await remove(other, cards[0]?.id)).status).toBe(404);
    expect((await cardsOf(driver)).cards).toEqual(cards);
    expect((await remove(driver, "pm_none")).status).toBe(404);
    expect((await remove(driver, "..%2Frenewal")).status).toBe(400);
  });
});

describe("the card form's session", () => {
  it("shows and removes the cards that are saved, and leaves it to the page to ask whether to save another", async () => {
    const driver = await createPayer();
    const answer = await openSession(driver);
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { clientSecret: expect.stringMatching(/^cuss_\w+_secret_\w+$/) },
    ]);
    const asked = (await arrivals()).filter(({ path }) => path === "/v1/customer_sessions").at(-1);
    expect(asked?.params).toMatchObject({
      components: {
        payment_element: {
          enabled: "true",
          features: {
            payment_method_redisplay: "enabled",
            payment_method_remove: "enabled",
            payment_method_save: "disabled",
          },
        },
      },
    });
  });

  it("makes one customer, which the payment is charged to", async () => {
    const driver = await createPayer();
    await openSession(driver);
    await openSession(driver);
    await pay(driver);
    const made = (await arrivals()).filter(
      ({ method, path, params }) =>
        method === "POST" && path === "/v1/customers" && JSON.stringify(params).includes(driver.driverId),
    );
    expect(made).toHaveLength(1);
  });

  it("makes the customer anew where Stripe knows it no more", async () => {
    const driver = await createPayer();
    await env.DB.prepare(`INSERT INTO stripe_customers (driver_id, customer_id) VALUES (?, 'cus_gone')`)
      .bind(driver.driverId)
      .run();
    expect((await openSession(driver)).status).toBe(200);
    const [row] = await rows(`SELECT customer_id FROM stripe_customers WHERE driver_id = ?`, driver.driverId);
    expect(row?.["customer_id"]).not.toBe("cus_gone");
  });

  it("is refused without keys, after too many, and while Stripe fails", async () => {
    const driver = await createPayer();
    const none = { STRIPE_SECRET_KEY: "", STRIPE_PUBLISHABLE_KEY: "" };
    const path = "/flex/v1/payments/session";
    const unready = await callUnderSettings(none, driver, { method: "POST", path });
    expect([unready.status, await codeOf(unready)]).toEqual([503, "cards_unavailable"]);
    skipTimers();
    await injectFault({ operation: "createCustomerSession", fault: "503", times: 3 });
    const failed = await openSession(driver);
    expect([failed.status, await codeOf(failed)]).toEqual([503, "payments_unreachable"]);
    vi.unstubAllGlobals();
    const answers = [];
    for (let count = 0; count < 20; count += 1) answers.push((await openSession(driver)).status);
    expect(answers).toContain(429);
  });
});

describe("the same again", () => {
  it("is the last plan at today's price, with the card that paid it", async () => {
    const driver = await createPayer();
    await pay(driver, { keep: true });
    await pay(driver, { keep: true, plan: "3days", card: "5555555555554444" });
    const { sameAgain } = await cardsOf(driver);
    expect(sameAgain).toMatchObject({
      quote: { plan: "3days", totalCents: 3523, points: 0 },
      card: { last4: "4444" },
      formerTotalCents: null,
    });
  });

  it("says what it cost before where the price is another by now", async () => {
    const driver = await createPayer();
    await pay(driver, { keep: true });
    await cut({ plan: "7days", priceCents: 3000, driverId: driver.driverId });
    expect((await cardsOf(driver)).sameAgain).toMatchObject({
      quote: { totalCents: 3021 },
      formerTotalCents: 5022,
    });
  });

  it.each([
    ["at once", "4242424242424242", false],
    ["after the bank has asked", "4000002760003184", true],
  ])("pays the saved card %s, once", async (_name, card, isAsked) => {
    const driver = await createPayer();
    const first = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(first.intentId, { keep: true, card });
    if (isAsked) await callStripeSandbox(`intents/${first.intentId}/authenticate`, { outcome: "complete" });
    await fetchPayment(driver, first.paymentId);
    // The box is ticked while the bank asks, too.
    const { sameAgain } = await cardsOf(driver);
    const method = sameAgain?.card.id;
    expect(method).toMatch(/^pm_/);
    const again = await createPreparedPayment(driver, { plan: "7days" });
    const repeated = await createPreparedPayment(driver, { plan: "7days" });
    expect(repeated.intentId).toBe(again.intentId);
    await payIntent(again.intentId, { method });
    if (isAsked) await callStripeSandbox(`intents/${again.intentId}/authenticate`, { outcome: "complete" });
    await fetchPayment(driver, again.paymentId);
    const paid = { status: "settled", total: 5022, renewed: 0 };
    expect(await paymentsOf(driver)).toEqual([paid, paid]);
  });

  it("can be paid with a renewal's card, which is shown for it alone", async () => {
    const driver = await createPayer();
    await agreeToRenewal(driver);
    const { cards, sameAgain } = await cardsOf(driver);
    expect([cards.length, sameAgain?.card.id]).toEqual([1, cards[0]?.id]);
    await env.DB.prepare(`DELETE FROM renewals WHERE driver_id = ?`).bind(driver.driverId).run();
    expect(await cardsOf(driver)).toEqual({ cards: [], sameAgain: null });
  });
});
