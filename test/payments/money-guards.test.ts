import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { countPaymentCall, loadDeclines } from "../../db/queries/payments/limits.ts";
import { loadMoneyBack } from "../../db/queries/payments/money-back.ts";
import { attachIntent } from "../../db/queries/payments/new-payments.ts";
import { loadIntents } from "../../db/queries/payments/payments.ts";
import { isPriceInForce } from "../../db/queries/payments/plan-prices.ts";
import { driverId } from "../../db/shapes/units.ts";
import {
  decline,
  DRIVER,
  MINUTE_MS,
  NOW,
  openCheckout,
  prepareWeek,
  prepareWithoutIntent,
  type Checkout,
} from "./checkout-harness.ts";

const OTHER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a02");

let at: Checkout;
beforeEach(() => {
  at = openCheckout();
  at.addDriver();
});

describe("the intent of a payment", () => {
  const attach = (id: string, intentId: string) => attachIntent(at.checkout.db, { id }, intentId);
  const intentOf = (id: string) => at.payment(id)?.["intent_id"];

  it("is stored for a payment in progress, again for a call that is repeated, and never another", async () => {
    await prepareWithoutIntent(at);
    const id = String(at.rows(`SELECT id FROM payments`)[0]?.["id"]);
    expect([await attach(id, "pi_first"), await attach(id, "pi_first")]).toEqual([true, true]);
    expect(await attach(id, "pi_second")).toBe(false);
    expect(intentOf(id)).toBe("pi_first");
  });

  it.each(["abandoned", "settled"])("is not stored for one that is %s by now", async (status) => {
    await prepareWithoutIntent(at);
    at.run(`UPDATE payments SET status = ?`, status);
    const id = String(at.rows(`SELECT id FROM payments`)[0]?.["id"]);
    expect(await attach(id, "pi_first")).toBe(false);
    expect(intentOf(id)).toBeNull();
  });
});

describe("the limit of a driver's calls", () => {
  const limit = { most: 2, windowMs: MINUTE_MS };
  const count = (now: number, { driver = DRIVER, call = "look" } = {}) =>
    countPaymentCall(at.checkout.db, { call, driverId: driver, limit, now });

  it("lets so many through in a window, and says when the next one is allowed", async () => {
    expect([await count(NOW), await count(NOW + 1), await count(NOW + 2)]).toEqual([
      null,
      null,
      NOW + MINUTE_MS,
    ]);
    // It ends when it was to end, however often somebody asks.
    expect(await count(NOW + MINUTE_MS - 1)).toBe(NOW + MINUTE_MS);
    expect(await count(NOW + MINUTE_MS)).toBeNull();
    expect(await count(NOW + MINUTE_MS + 1)).toBeNull();
    expect(await count(NOW + MINUTE_MS + 2)).toBe(NOW + 2 * MINUTE_MS);
  });

  it("counts each driver and each call by itself, and keeps no window that is over", async () => {
    for (let call = 0; call < 3; call += 1) await count(NOW);
    expect(await count(NOW, { driver: OTHER })).toBeNull();
    expect(await count(NOW, { call: "cancel" })).toBeNull();
    expect(at.rows(`SELECT subject FROM payment_calls`)).toHaveLength(3);
    await count(NOW + MINUTE_MS + 1, { driver: OTHER });
    expect(at.rows(`SELECT subject FROM payment_calls`)).toEqual([{ subject: `look:${OTHER}` }]);
  });

  it("counts declined cards of one driver since an instant, the newest first", async () => {
    decline(at, 1, 5, 20);
    at.run(
      `INSERT INTO stripe_events (id, type, intent_id, received_at) VALUES ('e', 'charge.failed', 'pi_old', ?)`,
      NOW,
    );
    const since = NOW - 20 * MINUTE_MS;
    const { db } = at.checkout;
    expect(await loadDeclines(db, DRIVER, { since, limit: 9 })).toEqual([
      NOW - MINUTE_MS,
      NOW - 5 * MINUTE_MS,
    ]);
    expect(await loadDeclines(db, DRIVER, { since, limit: 1 })).toEqual([NOW - MINUTE_MS]);
    expect(await loadDeclines(db, OTHER, { since, limit: 9 })).toEqual([]);
  });
});

it.each([
  ["refund", 1, "under_review", "back"],
  ["refund", 0, null, "void"],
  ["dispute", 0, "needs_response", "open"],
  ["dispute", 0, "won", "void"],
  ["dispute", 1, "lost", "back"],
])(
  "says of a %s in effect %i whose dispute is %s that it is %s",
  async (kind, isEffective, status, state) => {
    const id = await prepareWeek(at);
    at.run(
      `INSERT INTO payment_refunds (id, payment_id, kind, cents, at, is_effective) VALUES ('m', ?, ?, 5022, 1, ?)`,
      id,
      kind,
      isEffective,
    );
    if (status !== null)
      at.run(
        `INSERT INTO payment_disputes (id, payment_id, status, reason, cents, fee_cents, at) VALUES ('m', ?, ?, 'general', 5022, 0, 1)`,
        id,
        status,
      );
    const found = await loadMoneyBack(at.checkout.db, DRIVER, [id]);
    expect([...found].map(([paymentId, back]) => [paymentId, back.map((fact) => fact.state)])).toEqual([
      [id, [state]],
    ]);
  },
);

it("knows which of Stripe's intents are ours, and which of them are settled, with their fee", async () => {
  const id = await prepareWeek(at);
  const known = () => loadIntents(at.checkout.db, ["pi_2", "pi_strange"]);
  expect(await known()).toEqual([{ intentId: "pi_2", isSettled: false, isFeeKnown: false }]);
  at.run(`UPDATE payments SET settled_at = 0 WHERE id = ?`, id);
  expect(await known()).toEqual([{ intentId: "pi_2", isSettled: true, isFeeKnown: false }]);
  at.run(`UPDATE payments SET processor_fee_cents = 0 WHERE id = ?`, id);
  expect(await known()).toEqual([{ intentId: "pi_2", isSettled: true, isFeeKnown: true }]);
});

describe("the price that an operator saw", () => {
  const holds = (
    id: string | null,
    change: { at?: number; currency?: "USD" | "MXN"; plan?: "7days" | "3days" } = {},
  ) => {
    const condition = isPriceInForce({ plan: "7days", at: NOW, currency: "USD", ...change }, id);
    return at.checkout.db.get<{ holds: number }>(sql`SELECT ${condition} AS holds`);
  };
  const price = (id: string, { plan = "7days", cents = 4000, from = NOW, currency = "USD" } = {}) =>
    at.run(
      `INSERT INTO plans (id, plan, price_cents, valid_from, currency) VALUES (?, ?, ?, ?, ?)`,
      id,
      plan,
      cents,
      from,
      currency,
    );
  beforeEach(() => {
    at.run(`DELETE FROM plans`);
    price("old", { from: NOW - 1 });
    price("held");
  });

  it.each<[string, () => void, string]>([
    ["is the last that has begun", () => price("later", { from: NOW + 1 }), "held"],
    ["is the one that was written last of one instant", () => price("next"), "next"],
    ["is of the plan", () => price("short", { plan: "3days" }), "held"],
    ["is of the currency", () => price("pesos", { currency: "MXN" }), "held"],
    ["is one that can be charged", () => price("cent", { cents: 1 }), "held"],
    ["is the lowest that can be charged", () => price("least", { cents: 50 }), "least"],
  ])("%s", async (_name, plant, id) => {
    plant();
    for (const one of ["old", "held", "later", "next", "short", "pesos", "cent", "least"])
      expect([one, await holds(one)]).toEqual([one, { holds: Number(one === id) }]);
  });

  it("is none, or that of the settings, where the currency has no history", async () => {
    at.run(`DELETE FROM plans`);
    expect(await holds(null)).toEqual({ holds: 1 });
    expect(await holds("list:USD:7days")).toEqual({ holds: 1 });
    price("held");
    expect(await holds(null)).toEqual({ holds: 0 });
    expect(await holds("list:USD:7days")).toEqual({ holds: 0 });
  });
});
