import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { resetPlatform, whileHeld } from "../harness.ts";
import {
  arrivals,
  clearFaults,
  codeOf,
  createPreparedPayment,
  cut,
  fetchPayment,
  fetchQuote,
  intentsOf,
  ledgerOf,
  payIntent,
  postPrepare,
  rows,
  followPayments,
} from "../payments-harness.ts";
import {
  agreeToRenewal,
  comeToCharge,
  confirmNotice,
  createRenewing,
  createServedDriver,
  lookBeforeEnd,
  passTime,
  paymentsOf,
  renewalOf,
  serviceEndOf,
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

const CHANNELS = { text: false, push: false };
const DEFAULT_PREFERENCES = {
  captured: CHANNELS,
  needs_you: CHANNELS,
  service: CHANNELS,
  silence: CHANNELS,
  quietHours: null,
};

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
      words: RENEWAL_WORDS,
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
      notice: null,
    });
  });

  it("begins nothing with a payment that is declined or left", async () => {
    const driver = await createServedDriver();
    const { renewalCapCents: capCents } = await fetchQuote(driver, { plan: "7days", points: 0 });
    const renewal = { capCents, words: RENEWAL_WORDS };
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
    ["another cap", { capCents: 5021, words: RENEWAL_WORDS }],
    ["words that are not today's", { capCents: 5022, words: RENEWAL_WORDS - 1 }],
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
    await followPayments();
    await lookBeforeEnd(driver, 50);
    expect(await textsAbout(driver, "renews")).toEqual([]);
    await lookBeforeEnd(driver, 48.9);
    await expect.poll(() => textsAbout(driver, "renews")).toHaveLength(1);
    const [text] = await textsAbout(driver, "renews");
    expect(text).toMatch(
      /renews \w{3} .*: 7 days for \$50\.22, charged to your saved card\. To turn it off: http.*\/flex\/payments$/,
    );
    await confirmNotice(driver);
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
    await followPayments();
    expect(await renewalOf(driver)).toMatchObject({ status: "on" });
    await comeToCharge(driver);
    await followPayments();
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
    await Promise.all([followPayments(), followPayments(), followPayments()]);
    await followPayments();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
    expect((await intentsOf(driver)).map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });

  it("is charged no sooner than half a day after it was announced", async () => {
    const driver = await createRenewing();
    await lookBeforeEnd(driver, 20);
    await expect.poll(() => textsAbout(driver, "renews")).toHaveLength(1);
    await confirmNotice(driver);
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
    await followPayments();
    await followPayments();
    await expect.poll(() => textsAbout(driver, "renews")).toHaveLength(2);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    await confirmNotice(driver);
    await passTime(driver, 12.1 * HOUR_MS);
    await followPayments();
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

describe("turning a renewal off", () => {
  it("is one call, and can be undone", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    expect((await putRenewal(driver, { on: false })).status).toBe(200);
    await followPayments();
    expect(await renewalOf(driver)).toMatchObject({ status: "off", chargeAt: null });
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    await putRenewal(driver, { on: true, plan: "7days", capCents: 5022, words: RENEWAL_WORDS });
    await followPayments();
    // It was announced before: that still holds.
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
    expect(await textsAbout(driver, "renews")).toHaveLength(1);
  });

  it("refuses to turn on what the driver did not see", async () => {
    const driver = await createRenewing();
    await putRenewal(driver, { on: false });
    const answer = await putRenewal(driver, {
      on: true,
      plan: "7days",
      capCents: 9999,
      words: RENEWAL_WORDS,
    });
    expect([answer.status, await codeOf(answer)]).toEqual([409, "price_changed"]);
    expect(await renewalOf(driver)).toMatchObject({ status: "off" });
  });

  it("calls off a charge that is under way", async () => {
    const driver = await createRenewing();
    await comeToCharge(driver);
    await whileHeld("createPaymentIntent", followPayments, () => putRenewal(driver, { on: false }));
    await followPayments();
    expect(await renewalOf(driver)).toMatchObject({ status: "off" });
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, NOT_CHARGED]);
    expect((await intentsOf(driver)).map(({ status }) => status)).toEqual(["canceled", "succeeded"]);
  });
});
