import { beforeEach, describe, expect, it } from "vitest";
import {
  findUsableCard,
  loadSavedCards,
  openCustomerSession,
  removeSavedCard,
} from "../../worker/payments/saved-cards.ts";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
import type { StoredCard } from "../../worker/payments/stripe/responses.ts";
import {
  DAY_MS,
  DRIVER,
  losePath,
  openCheckout,
  prepareWeek,
  refuse,
  type Checkout,
} from "./checkout-harness.ts";

const card = (id: string, change: Partial<StoredCard> = {}): StoredCard => {
  const fixed = { type: "card", brand: "visa", last4: "4242", expMonth: 12, expYear: 2030, mayBeShown: true };
  return { ...fixed, id, ...change };
};
const shown = ({ mayBeShown: _mayBeShown, ...rest }: StoredCard) => rest;

let at: Checkout;
beforeEach(() => {
  at = openCheckout();
  at.addDriver();
});
const saved = async () => loadSavedCards(at.checkout, await at.driver());
const idsOf = async () => (await saved()).cards.map(({ id }) => id);
const pay = async (change: object = {}, renewal: { capCents: number; words: number } | null = null) => {
  await prepareWeek(at, { renewal });
  at.bank.pay(at.bank.last.intentId, change);
  await settleIntent(at.checkout, at.bank.last.intentId);
};
const renewing = () => pay({}, { capCents: 5022, words: RENEWAL_WORDS });

describe("saved cards", () => {
  it("are those that the driver chose to keep, and the renewal's", async () => {
    await renewing();
    at.bank.cards = [card("pm_1", { mayBeShown: false }), card("pm_2"), card("pm_3", { mayBeShown: false })];
    expect((await saved()).cards).toEqual([card("pm_1"), card("pm_2")].map(shown));
    expect(at.bank.asked.at(-1)).toEqual(["listSavedCards", "cus_1"]);
  });

  it("are none that was not to be kept", async () => {
    await pay();
    at.bank.cards = [card("pm_1", { mayBeShown: false })];
    expect(await idsOf()).toEqual([]);
  });

  it("are good to the end of their month", async () => {
    await pay();
    at.bank.cards = [
      card("pm_this", { expMonth: 11, expYear: 2026 }),
      card("pm_last", { expMonth: 10, expYear: 2026 }),
      card("pm_none", { expMonth: null, expYear: null }),
      card("pm_month", { expMonth: 1, expYear: null }),
      card("pm_year", { expMonth: null, expYear: 2020 }),
    ];
    expect(await idsOf()).toEqual(["pm_this", "pm_none", "pm_month", "pm_year"]);
    at.clock.now = Date.parse("2026-11-30T23:59:59.999Z");
    expect(await idsOf()).toContain("pm_this");
    at.clock.now += 1;
    expect(await idsOf()).not.toContain("pm_this");
  });

  it("are those whose ids this release can put into an address; another holds up none", async () => {
    await pay();
    at.bank.cards = [card("card_1"), card("pm_2")];
    expect(await idsOf()).toEqual(["pm_2"]);
    expect((await saved()).sameAgain).toMatchObject({ card: { id: "pm_2" } });
  });

  it("are none without keys, without a customer, or where the bank has none of that name", async () => {
    expect(await saved()).toEqual({ cards: [], sameAgain: null });
    expect(at.bank.asked).toEqual([]);
    await pay();
    at.bank.cards = [card("pm_1")];
    expect(await loadSavedCards(at.cardless, await at.driver())).toEqual({ cards: [], sameAgain: null });
    at.bank.during("listSavedCards", refuse({ missing: "customer" }));
    expect(await saved()).toEqual({ cards: [], sameAgain: null });
  });

  it.each([
    ["can't be reached", losePath()],
    ["refuses", refuse()],
    ["breaks off", () => Promise.reject(new TypeError("ours"))],
  ])("are not known where the bank %s", async (_name, failure) => {
    await pay();
    at.bank.during("listSavedCards", failure);
    await expect(saved()).rejects.toThrow();
  });
});

describe("the same again", () => {
  it("is the plan of the last payment at its price now, with the card that paid it", async () => {
    await pay({ methodId: "pm_2" });
    at.bank.cards = [card("pm_1"), card("pm_2")];
    expect((await saved()).sameAgain).toEqual({
      quote: expect.objectContaining({ plan: "7days", totalCents: 5022, points: 0 }),
      card: shown(card("pm_2")),
      formerTotalCents: null,
    });
    at.bank.cards = [card("pm_1")];
    expect((await saved()).sameAgain).toMatchObject({ card: { id: "pm_1" } });
  });

  it("says what it cost the last time, as if no points had been spent", async () => {
    await pay();
    at.bank.cards = [card("pm_1")];
    at.run(
      `INSERT INTO plans (id, plan, price_cents, valid_from) VALUES ('7days-2', '7days', 5987, ?)`,
      at.clock.now,
    );
    expect((await saved()).sameAgain).toMatchObject({ formerTotalCents: 5022, quote: { totalCents: 6029 } });
    at.run(`UPDATE payments SET points = 100, points_cents = 712, total_cents = 4305`);
    expect((await saved()).sameAgain).toMatchObject({ formerTotalCents: 5022 });
    at.run(`UPDATE payments SET cut_cents = 987`);
    expect((await saved()).sameAgain).toMatchObject({ formerTotalCents: 4028 });
  });

  it("says what was paid, where the bank's fee was another", async () => {
    await pay();
    at.bank.cards = [card("pm_1")];
    at.run(`UPDATE payments SET fee_cents = 40, total_cents = 5027`);
    expect((await saved()).sameAgain).toMatchObject({ formerTotalCents: 5027 });
  });

  it("names no former price of another currency", async () => {
    await pay();
    at.bank.cards = [card("pm_1")];
    at.run(`UPDATE payments SET currency = 'MXN', total_cents = 100594`);
    expect((await saved()).sameAgain).toMatchObject({ formerTotalCents: null, quote: { currency: "USD" } });
  });

  it("is nothing without a payment, a card, or a plan that is sold", async () => {
    at.run(`INSERT INTO stripe_customers VALUES (?, 'cus_1')`, DRIVER);
    at.bank.cards = [card("pm_1")];
    expect(await saved()).toEqual({ cards: [shown(card("pm_1"))], sameAgain: null });
    at.run(`DELETE FROM stripe_customers`);
    await pay();
    at.bank.cards = [];
    expect((await saved()).sameAgain).toBeNull();
    at.bank.cards = [card("pm_1")];
    at.run(`UPDATE payments SET plan = '1day'`);
    expect((await saved()).sameAgain).toBeNull();
  });
});

describe("removing a card", () => {
  const remove = (cardId: string) => removeSavedCard(at.checkout, { driverId: DRIVER, cardId });
  const renewal = () => at.rows(`SELECT status FROM renewals`)[0]?.["status"];

  it("removes it at the bank, and leaves a renewal with another card on", async () => {
    await renewing();
    at.bank.cards = [card("pm_1"), card("pm_2")];
    expect(await remove("pm_2")).toBe(true);
    expect(at.bank.asked.at(-1)).toEqual(["removeSavedCard", "pm_2"]);
    expect(renewal()).toBe("on");
  });

  it("turns off the renewal that uses it, before it is gone", async () => {
    await renewing();
    at.bank.cards = [card("pm_1")];
    at.bank.during("removeSavedCard", () => expect(renewal()).toBe("off"));
    expect(await remove("pm_1")).toBe(true);
    expect(at.bank.count("removeSavedCard")).toBe(1);
  });

  it("removes nobody else's", async () => {
    await pay();
    at.bank.cards = [card("pm_1")];
    expect(await remove("pm_2")).toBe(false);
    expect(at.bank.count("removeSavedCard")).toBe(0);
  });

  it("needs no renewal", async () => {
    await pay();
    at.bank.cards = [card("pm_1")];
    expect(await remove("pm_1")).toBe(true);
  });
});

describe("a session of the card form", () => {
  const openSession = async () => openCustomerSession(at.checkout, await at.driver());
  const asked = (name: string) => at.bank.asked.filter(([operation]) => operation === name);

  it("is of the driver's customer, who is made once", async () => {
    expect(await openSession()).toEqual({ clientSecret: "cus_1_session" });
    expect(await openSession()).toEqual({ clientSecret: "cus_1_session" });
    expect(asked("createCustomer")).toEqual([
      ["createCustomer", DRIVER, expect.stringMatching(/^customer:[0-9a-f-]{36}:\d+$/)],
    ]);
    expect(asked("openCustomerSession")[0]).toEqual(["openCustomerSession", "cus_1"]);
  });

  it("is of a new customer where the bank does not know the former", async () => {
    await openSession();
    at.bank.during("openCustomerSession", refuse({ missing: "customer" }));
    expect(await openSession()).toEqual({ clientSecret: "cus_2_session" });
    expect(at.rows(`SELECT customer_id FROM stripe_customers`)).toEqual([{ customer_id: "cus_2" }]);
    const [first, second] = asked("createCustomer");
    expect(second?.[2]).not.toBe(first?.[2]);
    expect(asked("openCustomerSession").at(-1)).toEqual(["openCustomerSession", "cus_2"]);
  });

  it.each([
    ["can't be reached", losePath()],
    ["refuses", refuse({ missing: "other" })],
    ["breaks off", () => Promise.reject(Object.assign(new TypeError("ours"), { missing: "customer" }))],
  ])("is none where the bank %s", async (_name, failure) => {
    at.bank.during("openCustomerSession", failure);
    await expect(openSession()).rejects.toThrow();
    expect(at.bank.count("createCustomer")).toBe(1);
  });
});

describe("the card of a renewal", () => {
  const find = (methodId = "pm_1") =>
    findUsableCard(at.checkout, { driverId: DRIVER, methodId }, at.clock.now);

  it("is usable while it is there and good", async () => {
    await pay();
    at.bank.cards = [card("pm_2"), card("pm_1", { expMonth: 11, expYear: 2026 })];
    expect(await find()).toMatchObject({ id: "pm_1" });
    expect(await find("pm_3")).toBeNull();
    at.clock.now += 10 * DAY_MS;
    expect(await find()).toBeNull();
  });
});
