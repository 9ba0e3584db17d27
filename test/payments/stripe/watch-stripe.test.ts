import { beforeEach, describe, expect, it } from "vitest";
import { loadAlerts } from "../../../db/queries/fleet/alerts.ts";
import { arePaymentsDegraded } from "../../../worker/payments/stripe/key-health.ts";
import { watchStripe } from "../../../worker/payments/stripe/watch-stripe.ts";
import { losePath, MINUTE_MS, NOW, openCheckout, refuse, type Checkout } from "../checkout-harness.ts";

let at: Checkout;
beforeEach(() => {
  at = openCheckout();
});

const alerts = async () =>
  (await loadAlerts(at.checkout.db, at.clock.now)).map(({ name, reason }) => `${name}: ${reason}`);

async function minute(): Promise<void> {
  at.clock.now += MINUTE_MS;
  await watchStripe(at.checkout);
}

describe("each minute operators", () => {
  it("hear at once that Stripe refuses the key, and that it takes it again", async () => {
    at.bank.during("checkKey", refuse({ isUnauthorized: true }));
    await minute();
    expect(await alerts()).toEqual(["payments.key: refused"]);
    // Also health at an isolate that hasn't called Stripe.
    const other = { ...at.checkout.deps, config: { ...at.checkout.deps.config } };
    expect(await arePaymentsDegraded(other)).toBe(true);
    await minute();
    expect(await alerts()).toEqual([]);
  });

  it("hear of a Stripe that can't be reached once that lasts, since the step fails", async () => {
    at.bank.during("checkKey", losePath());
    await expect(minute()).rejects.toMatchObject({ kind: "unreachable" });
    expect(await alerts()).toEqual([]);
  });
});

describe("Stripe's events", () => {
  /** A payment that went through, however we learned of it, and the events that came of it. */
  function pay(id: string, minutesAgo: number, events: "none" | "pending" | "handled" = "none"): void {
    at.run(
      `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents,
         total_cents, refunded_cents, revision, created_at, intent_id, settled_at)
       VALUES (?1, 'd', '7days', 'settled', 'USD', 4987, 0, 0, 0, 35, 5022, 0, 1, 1, 'pi_' || ?1, ?2)`,
      id,
      NOW - minutesAgo * MINUTE_MS,
    );
    if (events === "handled")
      at.run(`INSERT INTO stripe_events VALUES (?1, 'payment_intent.succeeded', 'pi_' || ?1, ?2)`, id, NOW);
    if (events === "pending")
      at.run(`INSERT INTO pending_stripe_events VALUES (?1, 'charge.refunded', 'pi_' || ?1, 0, ?2)`, id, NOW);
  }

  it("count as missing once none came of the last three payments, until one comes", async () => {
    pay("a", 600, "handled");
    pay("b", 90);
    pay("c", 60);
    pay("d", 20);
    await minute();
    expect(await alerts()).toEqual(["payments.webhook: missing"]);
    pay("e", 15, "handled");
    await minute();
    expect(await alerts()).toEqual([]);
  });

  it.each([
    ["of a payment that has just gone through they may still come", () => pay("d", 5)],
    ["one that waits to be handled has come", () => pay("d", 20, "pending")],
    ["two payments tell too little", () => {}],
  ])("don't count as missing: %s", async (_why, payLast) => {
    pay("a", 6_000);
    pay("b", 90);
    pay("c", 60);
    payLast();
    await minute();
    expect(await alerts()).toEqual([]);
  });
});
