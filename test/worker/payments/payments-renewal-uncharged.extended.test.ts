import { env } from "cloudflare:test";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { actOnAll, owner } from "../console-harness.ts";
import { skipTimers } from "../../support/skip-timers.ts";
import { type TestDriver, injectFault, resetPlatform, setSystemSwitch } from "../harness.ts";
import {
  arrivals,
  callStripeSandbox,
  clearFaults,
  createPaid,
  createPreparedPayment,
  fetchPayment,
  intentsOf,
  ledgerOf,
  payIntent,
  rows,
  followPayments,
} from "../payments-harness.ts";
import {
  cardsOf,
  comeToCharge,
  confirmNotice,
  createRenewing,
  lookBeforeEnd,
  passTime,
  paymentsOf,
  renewalOf,
  retryNow,
  PAID_BY_HAND,
  RENEWED,
  NOT_CHARGED,
  textsAbout,
  putRenewal,
  liveThrough,
} from "../renewal-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(clearFaults);
afterEach(() => vi.unstubAllGlobals());

describe("a renewal is not charged", () => {
  it.each([
    [
      "above the cap, where an owner raised the list price",
      async () => {
        const price = { act: "list_price", plan: "7days", priceCents: 4988, startsAt: null } as const;
        const raised = await actOnAll(owner, { ...price, reason: "a test" });
        expect(raised.status).toBe(200);
      },
      () => env.DB.prepare(`DELETE FROM plans WHERE id LIKE 'operator:%'`).run(),
      "over_cap",
      "7 days now cost $50.23, more than you agreed to",
    ],
  ])("%s", async (_name, change, undo, pause, words) => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    await change();
    try {
      await followPayments();
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
    await followPayments();
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
    await followPayments();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, PAID_BY_HAND]);
    expect(await renewalOf(driver)).toMatchObject({ status: "on" });
  });

  it("while the driver is at the card form, and calls off a form that was left", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    const { intentId } = await createPreparedPayment(driver, { plan: "14days" });
    await followPayments();
    expect((await paymentsOf(driver)).map(({ status }) => status)).toEqual(["settled", "open"]);
    await passTime(driver, HOUR_MS);
    await followPayments();
    await followPayments();
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
    await followPayments();
    await liveThrough(driver);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "not_served" });
    await expect.poll(() => textsAbout(driver, "so we didn't renew")).toHaveLength(1);
  });

  it("is charged after all where the driver is switched on again in time", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    await setSystemSwitch(driver, false);
    await followPayments();
    await setSystemSwitch(driver, true);
    await lookBeforeEnd(driver, 12);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
  });

  it("for a plan that is sold no more", async () => {
    const driver = await createRenewing();
    await env.DB.prepare(`UPDATE renewals SET plan = '1day' WHERE driver_id = ?`).bind(driver.driverId).run();
    await lookBeforeEnd(driver, 48.9);
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
    await followPayments();
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
  ])("because it %s notifies once, charges nobody and tried no more", async (_name, card, pause, words) => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    const { cards } = await cardsOf(driver);
    await callStripeSandbox(`methods/${cards[0]?.id}`, { card });
    await followPayments();
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
    await followPayments();
    expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "declined" });
    const on = await putRenewal(driver, { on: true, plan: "7days", capCents: 5022, words: RENEWAL_WORDS });
    expect(on.status).toBe(200);
    await followPayments();
    await expect.poll(() => textsAbout(driver, "renews")).toHaveLength(2);
    await confirmNotice(driver);
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
        await followPayments();
        expect(await renewalOf(driver)).toMatchObject({ status: "on" });
        await followPayments();
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
      await followPayments();
      expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "failed" });
      expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, NOT_CHARGED]);
      await expect
        .poll(() => textsAbout(driver, "We couldn't renew 7 days. You weren't charged."))
        .toHaveLength(1);
    });

    it("until service has ended notifies, and charges nothing after", async () => {
      const driver = await createRenewing();
      await comeToCharge(driver);
      await injectFault({ operation: "confirmPaymentIntent", fault: "503" });
      await followPayments();
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
