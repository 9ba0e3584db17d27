import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { carryOut } from "../../../worker/console/orders.ts";
import { settleIntent } from "../../../worker/payments/settle-intent.ts";
import { losePath, prepareWeek, refuse } from "../../payments/checkout-harness.ts";
import { ANA, openDesk, reason, type Desk } from "../desk.ts";

const KEY = "6f0c6f6e-5f0e-4c0c-9d56-0123456789ab";

let at: Desk;
let refund: { act: "refund"; paymentId: string; cents: number; keepsDays: boolean; reason: string };
beforeEach(async () => {
  at = openDesk();
  const paymentId = await prepareWeek(at);
  at.bank.pay("pi_2");
  await settleIntent(at.checkout, "pi_2");
  refund = { act: "refund", paymentId, cents: 5022, keepsDays: false, reason };
});

/** The keys of the requests for a refund. */
const keys = () => at.bank.asked.flatMap(([asked, , key]) => (asked === "refundIntent" ? [key] : []));
const acts = () => at.rows(`SELECT act FROM operator_acts ORDER BY at, rowid`).map(({ act }) => act);
const orders = () => at.rows(`SELECT keys_used FROM operator_orders`).map((row) => row["keys_used"]);

/** Stripe answers with a failure that it stored under the key. */
const storedFailure = losePath({ isReplayed: true });

describe("a refund that an operator ordered", () => {
  it("stands in the log with what was given back before and after", async () => {
    await at.act("owner", KEY, { ...refund, cents: 1000 });
    const [line] = at.rows(`SELECT before, after FROM operator_acts`);
    expect([line?.["before"], line?.["after"]].map((text) => JSON.parse(String(text)))).toEqual([
      { refundedCents: 0, currency: "USD" },
      { refundedCents: 1000, currency: "USD" },
    ]);
  });

  it("is not made again where Stripe made it under a key that it answers with a failure", async () => {
    at.bank.during("refundIntent", () => {
      at.bank.change("pi_2", {
        refunds: [
          { id: "re_1", kind: "refund", cents: 5022, at: at.clock.now, isEffective: true, isGoodwill: false },
        ],
      });
      storedFailure();
    });
    expect(await at.act("owner", KEY, refund)).toBe("pending");
    expect(orders()).toEqual([1]);
    expect(await carryOut(at.checkout, KEY)).toBe("done");
    expect(keys()).toEqual([`operator:${KEY}`]);
    expect(at.payment()).toMatchObject({ status: "refunded", refunded_cents: 5022 });
    expect(orders()).toEqual([]);
  });

  it("is made under another key where Stripe did not make it under that one", async () => {
    at.bank.during("refundIntent", storedFailure);
    expect(await at.act("owner", KEY, refund)).toBe("pending");
    expect(await carryOut(at.checkout, KEY)).toBe("done");
    expect(keys()).toEqual([`operator:${KEY}`, `operator:${KEY}:1`]);
  });

  it("is made under another key where Stripe made it under that one, and it failed at the bank", async () => {
    at.bank.during("refundIntent", () => {
      const failed = { id: "re_1", kind: "refund", cents: 5022, at: at.clock.now } as const;
      at.bank.change("pi_2", { refunds: [{ ...failed, isEffective: false, isGoodwill: false }] });
      storedFailure();
    });
    expect(await at.act("owner", KEY, refund)).toBe("pending");
    expect(await carryOut(at.checkout, KEY)).toBe("done");
    expect(keys()).toEqual([`operator:${KEY}`, `operator:${KEY}:1`]);
    expect(at.payment()).toMatchObject({ status: "refunded", refunded_cents: 5022 });
  });

  it("keeps its key where nobody knows whether Stripe heard of it", async () => {
    at.bank.during("refundIntent", losePath());
    expect(await at.act("owner", KEY, refund)).toBe("pending");
    expect(orders()).toEqual([0]);
    expect(await carryOut(at.checkout, KEY)).toBe("done");
    expect(keys()).toEqual([`operator:${KEY}`, `operator:${KEY}`]);
  });

  it("ends as failed before Stripe forgets its key", async () => {
    at.bank.during("refundIntent", losePath(), losePath());
    expect(await at.act("owner", KEY, refund)).toBe("pending");
    at.clock.now += 20 * HOUR_MS;
    expect(await carryOut(at.checkout, KEY)).toBe("pending");
    at.clock.now += 1;
    expect(await carryOut(at.checkout, KEY)).toBe("failed");
    expect(keys()).toHaveLength(2);
    expect(acts()).toEqual(["refund", "refund_failed"]);
    expect(orders()).toEqual([]);
  });

  it("is done where Stripe made it, though nobody heard of that until Stripe forgot its key", async () => {
    at.bank.during("refundIntent", () => {
      const made = { id: "re_1", kind: "refund", cents: 5022, at: at.clock.now } as const;
      at.bank.change("pi_2", { refunds: [{ ...made, isEffective: true, isGoodwill: false }] });
      losePath()();
    });
    expect(await at.act("owner", KEY, refund)).toBe("pending");
    at.clock.now += 20 * HOUR_MS + 1;
    at.bank.during("hasRefund", losePath());
    expect(await carryOut(at.checkout, KEY)).toBe("pending");
    expect(await carryOut(at.checkout, KEY)).toBe("done");
    expect(keys()).toHaveLength(1);
    expect(acts()).toEqual(["refund"]);
    expect(at.payment()).toMatchObject({ status: "refunded", refunded_cents: 5022 });
  });

  it("fails where Stripe refuses it, and waits where Stripe refuses our key", async () => {
    at.bank.during("refundIntent", refuse({ isUnauthorized: true }), refuse());
    expect(await at.act("owner", KEY, refund)).toBe("pending");
    expect(await carryOut(at.checkout, KEY)).toBe("failed");
    expect(acts()).toEqual(["refund", "refund_failed"]);
    expect(at.payment()).toMatchObject({ driver_id: ANA, status: "settled" });
  });
});
