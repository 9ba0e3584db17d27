import { env } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { skipTimers } from "../support/skip-timers.ts";
import { injectFault, resetPlatform, setSystemSwitch, whileHeld, type TestDriver } from "./harness.ts";
import {
  arrivals,
  callStripeSandbox,
  clearFaults,
  codeOf,
  createPaid,
  createPreparedPayment,
  cut,
  DAY_MS,
  fetchPayment,
  fetchQuote,
  fetchTexts,
  HOUR_MS,
  intentsOf,
  ledgerOf,
  payIntent,
  postPrepare,
  rows,
  runMinute,
} from "./payments-harness.ts";
import {
  agreeToRenewal,
  cardsOf,
  comeToCharge,
  createRenewing,
  createServedDriver,
  lookBeforeEnd,
  passTime,
  paymentsOf,
  renewalOf,
  retryNow,
  serviceEndOf,
} from "./renewal-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(clearFaults);
afterEach(() => vi.unstubAllGlobals());

const PAID_BY_HAND = { status: "settled", total: 5022, renewed: 0 };
const RENEWED = { status: "settled", total: 5022, renewed: 1 };
const NOT_CHARGED = { status: "abandoned", total: 5022, renewed: 1 };

const textsAbout = async (driver: TestDriver, words: string | RegExp) =>
  (await fetchTexts(driver)).filter((text) =>
    typeof words === "string" ? text.includes(words) : words.test(text),
  );

const put = ({ client }: TestDriver, body: unknown) =>
  client.call("PUT", "/flex/v1/payments/renewal", { body });

/** Looks at the renewals for as long as the service lasts, and after. */
async function liveThrough(driver: TestDriver): Promise<void> {
  for (const hours of [20, 10, 1, -1, -30]) await lookBeforeEnd(driver, hours);
}

describe("agreeing to renewal", () => {
  it("is never the default", async () => {
    const driver = await createServedDriver();
    const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    await fetchPayment(driver, paymentId);
    expect(await renewalOf(driver)).toBeNull();
    await lookBeforeEnd(driver, 48);
    await liveThrough(driver);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
  });

  it("keeps the card, and records when, what plan, which cap and which words", async () => {
    const before = Date.now();
    const driver = await createServedDriver();
    const { intentId, capCents } = await agreeToRenewal(driver);
    expect(capCents).toBe(5022);
    const intents = (await arrivals()).filter(({ path }) => path === "/v1/payment_intents");
    expect(intents.at(-1)?.params["setup_future_usage"]).toBe("off_session");
    expect((await intentsOf(driver)).map(({ id }) => id)).toEqual([intentId]);
    const [consent] = await rows(`SELECT * FROM renewal_consents WHERE driver_id = ?`, driver.driverId);
    expect(consent).toMatchObject({
      plan: "7days",
      cap_cents: 5022,
      currency: "USD",
      words: 1,
      withdrawn_at: null,
    });
    expect(Number(consent?.["at"])).toBeGreaterThanOrEqual(before);
    const end = await serviceEndOf(driver);
    expect(await renewalOf(driver)).toEqual({
      status: "on",
      pause: null,
      plan: "7days",
      currency: "USD",
      capCents: 5022,
      card: { type: "card", brand: "visa", last4: "4242" },
      chargeAt: end - 25 * HOUR_MS,
    });
  });

  it("begins nothing with a payment that is declined or left", async () => {
    const driver = await createServedDriver();
    const { renewalCapCents: capCents } = await fetchQuote(driver, { plan: "7days", points: 0 });
    const renewal = { capCents, words: 1 };
    const { intentId } = await createPreparedPayment(driver, { plan: "7days", renewal });
    await payIntent(intentId, { card: "4000000000000002" });
    expect(await renewalOf(driver)).toBeNull();
    // Without the tick it is another payment: the former can't be paid any more.
    const { intentId: second, paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    expect(second).not.toBe(intentId);
    await payIntent(second);
    await fetchPayment(driver, paymentId);
    expect(await renewalOf(driver)).toBeNull();
  });

  it.each([
    ["another cap", { capCents: 5021, words: 1 }],
    ["words that are not today's", { capCents: 5022, words: 2 }],
  ])("is refused with %s than the driver can have seen", async (_name, renewal) => {
    const driver = await createServedDriver();
    const answer = await postPrepare(driver, { plan: "7days", points: 0, totalCents: 5022, renewal });
    expect([answer.status, await codeOf(answer)]).toEqual([409, "price_changed"]);
  });

  it("caps at the list price where a discount holds", async () => {
    const driver = await createServedDriver();
    await cut({ plan: "7days", priceCents: 3000, driverId: driver.driverId });
    expect(await fetchQuote(driver, { plan: "7days", points: 0 })).toMatchObject({
      totalCents: 3021,
      renewalCapCents: 5022,
    });
  });
});

describe("a renewal", () => {
  it("is announced a day before it is charged, and charged a day before service ends", async () => {
    const driver = await createRenewing();
    const end = await serviceEndOf(driver);
    await runMinute();
    await lookBeforeEnd(driver, 50);
    expect(await textsAbout(driver, "renews")).toEqual([]);
    await lookBeforeEnd(driver, 48.9);
    await expect.poll(() => textsAbout(driver, "renews")).toHaveLength(1);
    const [text] = await textsAbout(driver, "renews");
    expect(text).toMatch(
      /renews \w{3} .*: 7 days for \$50\.22, charged to your saved card\. To turn it off: http.*\/flex\/payments$/,
    );
    await lookBeforeEnd(driver, 26);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    await lookBeforeEnd(driver, 24.9);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
    expect((await ledgerOf(driver)).credits).toEqual([
      ["", 7],
      ["", 7],
    ]);
    expect((await ledgerOf(driver)).points).toEqual([
      ["earned", 70],
      ["earned", 70],
    ]);
    expect((await serviceEndOf(driver)) - end).toBeLessThan(7 * DAY_MS);
    await expect.poll(() => textsAbout(driver, "We got your payment")).toHaveLength(2);
    // And so on: the next end is announced and renewed in its turn.
    await runMinute();
    expect(await renewalOf(driver)).toMatchObject({ status: "on" });
    await comeToCharge(driver);
    await runMinute();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED, RENEWED]);
    expect(await textsAbout(driver, "renews")).toHaveLength(2);
    const items = await driver.client.fetchJson<{ items: { isRenewal: boolean }[] }>(
      "GET",
      "/flex/v1/payments",
    );
    expect(items.items.map(({ isRenewal }) => isRenewal).toSorted()).toEqual([false, true, true]);
  });

  it("is charged once however many crons look at once", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    await Promise.all([runMinute(), runMinute(), runMinute()]);
    await runMinute();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
    expect((await intentsOf(driver)).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });

  it("is charged no sooner than half a day after it was announced", async () => {
    const driver = await createRenewing();
    await lookBeforeEnd(driver, 20);
    await expect.poll(() => textsAbout(driver, "renews")).toHaveLength(1);
    await lookBeforeEnd(driver, 9);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    await lookBeforeEnd(driver, 7.9);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
  });

  it("takes the price of the day, and tells the driver anew where it rose since it was announced", async () => {
    const driver = await createRenewing();
    const lower = await cut({ plan: "7days", priceCents: 3000, driverId: driver.driverId });
    await comeToCharge(driver);
    await lower.end();
    await runMinute();
    await runMinute();
    await expect.poll(() => textsAbout(driver, "renews")).toHaveLength(2);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    await passTime(driver, 12.1 * HOUR_MS);
    await runMinute();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
  });

  it("keeps out of the driver's quiet hours, for eleven hours at most", async () => {
    const driver = await createRenewing();
    const quiet = { ...DEFAULT_PREFERENCES, quietHours: { fromMinute: 0, toMinute: 0 } };
    await driver.client.call("PUT", "/flex/v1/user/notifications", { body: quiet });
    await lookBeforeEnd(driver, 48);
    expect(await textsAbout(driver, "renews")).toEqual([]);
    await lookBeforeEnd(driver, 37);
    await expect.poll(() => textsAbout(driver, "renews")).toHaveLength(1);
  });
});

const CHANNELS = { text: false, push: false };
const DEFAULT_PREFERENCES = {
  captured: CHANNELS,
  needs_you: CHANNELS,
  service: CHANNELS,
  silence: CHANNELS,
  quietHours: null,
};

describe("a renewal is not charged", () => {
  it.each([
    [
      "above the cap",
      () =>
        env.DB.prepare(
          `INSERT OR REPLACE INTO plans (id, plan, price_cents, valid_from) VALUES ('7days-dear', '7days', 4988, 1790000000001)`,
        ).run(),
      () => env.DB.prepare(`DELETE FROM plans WHERE id = '7days-dear'`).run(),
      "over_cap",
      "7 days now cost $50.23, more than you agreed to",
    ],
  ])("%s", async (_name, change, undo, pause, words) => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    await change();
    try {
      await runMinute();
    } finally {
      await undo();
    }
    expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause, chargeAt: null });
    await expect.poll(() => textsAbout(driver, words)).toHaveLength(1);
    await liveThrough(driver);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
  });

  it("to a card that was removed", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    const { cards } = await cardsOf(driver);
    await callStripeSandbox(`methods/${cards[0]?.id}`, { expMonth: 1, expYear: 2020 });
    await runMinute();
    expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "method_gone" });
    await expect.poll(() => textsAbout(driver, "was removed or has expired")).toHaveLength(1);
    await liveThrough(driver);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
  });

  it("after the driver removed the card, which turns it off", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    const { cards } = await cardsOf(driver);
    const removed = await driver.client.call("DELETE", `/flex/v1/payments/cards/${cards[0]?.id}`);
    expect(removed.status).toBe(204);
    expect(await renewalOf(driver)).toMatchObject({ status: "off" });
    expect((await cardsOf(driver)).cards).toEqual([]);
    await liveThrough(driver);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
  });

  it("after the driver paid by hand", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    await fetchPayment(driver, paymentId);
    await runMinute();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, PAID_BY_HAND]);
    expect(await renewalOf(driver)).toMatchObject({ status: "on" });
  });

  it("while the driver is at the card form, and calls off a form that was left", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    const { intentId } = await createPreparedPayment(driver, { plan: "14days" });
    await runMinute();
    expect((await paymentsOf(driver)).map(({ status }) => status)).toEqual(["settled", "open"]);
    await passTime(driver, HOUR_MS);
    await runMinute();
    await runMinute();
    expect((await paymentsOf(driver)).map(({ status, renewed }) => [status, renewed])).toEqual([
      ["settled", 0],
      ["abandoned", 0],
      ["settled", 1],
    ]);
    await expect(payIntent(intentId)).rejects.toThrow();
  });

  it.each([
    ["is switched off", (driver: TestDriver) => setSystemSwitch(driver, false)],
    ["unlinked", ({ client }: TestDriver) => client.call("DELETE", "/flex/v1/setup")],
    [
      "waits for a spot",
      ({ driverId }: TestDriver) =>
        env.DB.prepare(`UPDATE users SET waiting_for_spot = 1 WHERE id = ?`).bind(driverId).run(),
    ],
  ])("while the driver %s, and says so when service has ended", async (_name, change) => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    await change(driver);
    await runMinute();
    await liveThrough(driver);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "not_served" });
    await expect.poll(() => textsAbout(driver, "so we didn't renew")).toHaveLength(1);
  });

  it("is charged after all where the driver is switched on again in time", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    await setSystemSwitch(driver, false);
    await runMinute();
    await setSystemSwitch(driver, true);
    await lookBeforeEnd(driver, 12);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
  });

  it("for a plan that is sold no more", async () => {
    const driver = await createRenewing();
    await env.DB.prepare(`UPDATE renewals SET plan = '1day' WHERE driver_id = ?`).bind(driver.driverId).run();
    await comeToCharge(driver);
    await liveThrough(driver);
    expect(await rows(`SELECT status, pause FROM renewals WHERE driver_id = ?`, driver.driverId)).toEqual([
      { status: "paused", pause: "plan_gone" },
    ]);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
  });

  it("after the account was deleted, which removes the card at Stripe", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    const { cards } = await cardsOf(driver);
    expect((await driver.client.call("DELETE", "/flex/v1/user")).status).toBe(204);
    await runMinute();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    expect(await rows(`SELECT * FROM renewals WHERE driver_id = ?`, driver.driverId)).toEqual([]);
    const [consent] = await rows(
      `SELECT withdrawn_at FROM renewal_consents WHERE driver_id = ?`,
      driver.driverId,
    );
    expect(consent?.["withdrawn_at"]).not.toBeNull();
    const other = await createPaid();
    await expect(
      callStripeSandbox(`intents/${other.intentId}/pay`, { method: cards[0]?.id }),
    ).rejects.toThrow();
  });
});

describe("a renewal that fails", () => {
  it.each([
    ["is declined", "4000000000000341", "declined", "Your bank declined $50.22"],
    ["needs the driver", "4000002760003184", "needs_bank", "Your bank wants you to confirm $50.22"],
  ])("because it %s is told once, charged to nobody and tried no more", async (_name, card, pause, words) => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    const { cards } = await cardsOf(driver);
    await callStripeSandbox(`methods/${cards[0]?.id}`, { card });
    await runMinute();
    expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause });
    await expect.poll(() => textsAbout(driver, words)).toHaveLength(1);
    expect((await textsAbout(driver, words))[0]).toMatch(
      /Renewal is paused: http.*\/flex\/payments\?again=1$/,
    );
    const confirms = async () => (await arrivals()).filter(({ path }) => path.endsWith("/confirm")).length;
    const tried = await confirms();
    await liveThrough(driver);
    expect(await confirms()).toBe(tried);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, NOT_CHARGED]);
    expect((await intentsOf(driver)).map(({ status }) => status)).toEqual(["canceled", "succeeded"]);
    expect(await textsAbout(driver, words)).toHaveLength(1);
  });

  it("goes on when the driver turns it on again, and is announced anew", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    await callStripeSandbox("switches", { declineNext: "insufficient_funds" });
    await runMinute();
    expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "declined" });
    const on = await put(driver, { on: true, plan: "7days", capCents: 5022, words: 1 });
    expect(on.status).toBe(200);
    await runMinute();
    await expect.poll(() => textsAbout(driver, "renews")).toHaveLength(2);
    await lookBeforeEnd(driver, 8);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, NOT_CHARGED, RENEWED]);
    expect(
      await rows(`SELECT words FROM renewal_consents WHERE driver_id = ?`, driver.driverId),
    ).toHaveLength(2);
  });

  describe("at Stripe", () => {
    beforeEach(skipTimers);

    it.each(["500", "503", "429", "lost_answer"])(
      "by a %s is repeated later, and charged once",
      async (fault) => {
        const driver = await createRenewing();
        await comeToCharge(driver);
        await injectFault({ operation: "confirmPaymentIntent", fault, times: 3, delayMs: 0 });
        await runMinute();
        expect(await renewalOf(driver)).toMatchObject({ status: "on" });
        await runMinute();
        await clearFaults();
        await retryNow(driver);
        expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
        expect((await ledgerOf(driver)).credits).toEqual([
          ["", 7],
          ["", 7],
        ]);
      },
    );

    it("by a 500 that Stripe stored pauses softly, with nothing charged", async () => {
      const driver = await createRenewing();
      await comeToCharge(driver);
      await injectFault({ operation: "confirmPaymentIntent", fault: "500_stored", times: 1 });
      await runMinute();
      expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "failed" });
      expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, NOT_CHARGED]);
      await expect
        .poll(() => textsAbout(driver, "We couldn't renew 7 days. You weren't charged."))
        .toHaveLength(1);
    });

    it("until service has ended is told, and never charged after", async () => {
      const driver = await createRenewing();
      await comeToCharge(driver);
      await injectFault({ operation: "confirmPaymentIntent", fault: "503" });
      await runMinute();
      await lookBeforeEnd(driver, 1);
      await lookBeforeEnd(driver, -1);
      await clearFaults();
      await lookBeforeEnd(driver, -2);
      expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "failed" });
      const paid = (await paymentsOf(driver)).filter(({ status }) => status !== "abandoned");
      expect(paid).toEqual([PAID_BY_HAND]);
    });
  });
});

describe("turning a renewal off", () => {
  it("is one call, and can be undone", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    expect((await put(driver, { on: false })).status).toBe(200);
    await runMinute();
    expect(await renewalOf(driver)).toMatchObject({ status: "off", chargeAt: null });
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    await put(driver, { on: true, plan: "7days", capCents: 5022, words: 1 });
    await runMinute();
    // It was announced before: that still holds.
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
    expect(await textsAbout(driver, "renews")).toHaveLength(1);
  });

  it("refuses to turn on what the driver did not see", async () => {
    const driver = await createRenewing();
    await put(driver, { on: false });
    const answer = await put(driver, { on: true, plan: "7days", capCents: 9999, words: 1 });
    expect([answer.status, await codeOf(answer)]).toEqual([409, "price_changed"]);
    expect(await renewalOf(driver)).toMatchObject({ status: "off" });
  });

  it("calls off a charge that is under way", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    await whileHeld("createPaymentIntent", runMinute, () => put(driver, { on: false }));
    await runMinute();
    expect(await renewalOf(driver)).toMatchObject({ status: "off" });
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, NOT_CHARGED]);
    expect((await intentsOf(driver)).map(({ status }) => status)).toEqual(["canceled", "succeeded"]);
  });
});
