import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { HANDLED_EVENTS } from "../../../db/shapes/money/stripe-words.ts";
import { handleDueEvents, handleEvent } from "../../../worker/payments/stripe/events.ts";
import {
  losePath,
  MINUTE_MS,
  NOW,
  openCheckout,
  prepareWeek,
  refuse,
  type Checkout,
} from "../checkout-harness.ts";

let at: Checkout;
beforeEach(() => {
  at = openCheckout();
  at.addDriver();
});

describe("a noted event", () => {
  it("is of a kind that the handbook tells operators to send", () => {
    const handbook = readFileSync(new URL("../../../worker/operators/HANDBOOK.md", import.meta.url), "utf8");
    const [list = ""] = /with these events:[^.]*(?:\.[a-z_]+[^.]*)*\./.exec(handbook) ?? [];
    const named = [...list.matchAll(/`([a-z_.]+)`/g)].map(([, name]) => name);
    expect(named).toHaveLength(15);
    expect([...HANDLED_EVENTS]).toEqual(named);
  });

  const event = (change: object = {}) => {
    return {
      id: "evt_1",
      type: "payment_intent.succeeded",
      intentId: "pi_2",
      tries: 0,
      dueAt: NOW,
      ...change,
    };
  };
  const note = (change: object = {}) => {
    const { id, type, intentId, tries, dueAt } = event(change);
    at.run(`INSERT INTO pending_stripe_events VALUES (?, ?, ?, ?, ?)`, id, type, intentId, tries, dueAt);
  };
  const noted = () => at.rows(`SELECT id, tries, due_at FROM pending_stripe_events`);

  it("settles its payment, and is gone", async () => {
    await prepareWeek(at);
    at.bank.pay("pi_2");
    note();
    await handleDueEvents(at.checkout);
    expect(at.payment()?.["status"]).toBe("settled");
    expect(noted()).toEqual([]);
    expect(at.rows(`SELECT id FROM stripe_events`)).toEqual([{ id: "evt_1" }]);
  });

  it("that was handled before asks no bank, and is gone", async () => {
    await prepareWeek(at);
    at.run(`INSERT INTO stripe_events VALUES ('evt_1', 'payment_intent.succeeded', 'pi_2', 1)`);
    note();
    await handleDueEvents(at.checkout);
    expect(at.bank.count("fetchIntent")).toBe(0);
    expect(noted()).toEqual([]);
  });

  it("is handled when it is due, fifty in a minute", async () => {
    note({ dueAt: NOW + 1 });
    await handleDueEvents(at.checkout);
    expect(noted()).toHaveLength(1);
    at.run(`INSERT INTO stripe_events SELECT value, 'x', NULL, 1 FROM json_each(?)`, JSON.stringify(ids(51)));
    at.run(
      `INSERT INTO pending_stripe_events SELECT value, 'x', 'pi', 0, 1 FROM json_each(?)`,
      JSON.stringify(ids(51)),
    );
    await handleDueEvents(at.checkout);
    expect(noted()).toHaveLength(2);
  });
  const ids = (count: number) => Array.from({ length: count }, (_one, index) => `e${index}`);

  it.each([
    [0, 1],
    [1, 2],
    [5, 32],
    [6, 60],
    [77, 60],
  ])("that fails after %i tries is repeated in %i minutes", async (tries, minutes) => {
    await prepareWeek(at);
    note({ tries });
    at.bank.during("fetchIntent", losePath());
    await handleEvent(at.checkout, event({ tries }));
    expect(noted()).toEqual([{ id: "evt_1", tries: tries + 1, due_at: NOW + minutes * MINUTE_MS }]);
    expect(at.lines("warn", "payments.event.failed")).toMatchObject([
      { type: "payment_intent.succeeded", kind: "unreachable" },
    ]);
  });

  it("is given up after three days, or where the bank has no such intent", async () => {
    await prepareWeek(at);
    note({ tries: 78 });
    at.bank.during("fetchIntent", losePath());
    await handleEvent(at.checkout, event({ tries: 78 }));
    expect(noted()).toEqual([]);
    note({ intentId: "pi_none" });
    at.bank.during("fetchIntent", refuse({ missing: "intent" }));
    await handleEvent(at.checkout, event({ intentId: "pi_none" }));
    expect(noted()).toEqual([]);
    note();
    at.bank.during("fetchIntent", refuse());
    await handleEvent(at.checkout, event());
    expect(noted()).toHaveLength(1);
  });

  it.each([
    ["the fifth decline", 5, "payment_intent.payment_failed", {}, "abandoned", "canceled"],
    ["the fourth decline", 4, "payment_intent.payment_failed", {}, "open", "open"],
    ["another event", 5, "payment_intent.created", {}, "open", "open"],
    [
      "a decline before what is processing",
      5,
      "payment_intent.payment_failed",
      { status: "processing" as const },
      "processing",
      "processing",
    ],
  ])("of %s leaves the payment as it should", async (_name, declines, type, change, stored, there) => {
    await prepareWeek(at);
    at.bank.change("pi_2", change);
    for (let index = 1; index < declines; index += 1)
      at.run(
        `INSERT INTO stripe_events VALUES (?, 'payment_intent.payment_failed', 'pi_2', ?)`,
        `evt_d${index}`,
        NOW - index,
      );
    // Declines before this one are of the same payment; another event counts none of its own.
    if (type !== "payment_intent.payment_failed")
      at.run(
        `INSERT INTO stripe_events VALUES ('evt_d', 'payment_intent.payment_failed', 'pi_2', ?)`,
        NOW - 9,
      );
    await handleEvent(at.checkout, event({ type }));
    expect(at.payment()?.["status"]).toBe(stored);
    expect(at.bank.last.status).toBe(there);
    if (stored !== "abandoned") expect(at.bank.count("cancelIntent")).toBe(0);
  });

  it("of the fifth decline closes the payment with the next try, where the bank did not answer", async () => {
    await prepareWeek(at);
    for (let index = 1; index < 5; index += 1)
      at.run(
        `INSERT INTO stripe_events VALUES (?, 'payment_intent.payment_failed', 'pi_2', ?)`,
        `evt_d${index}`,
        NOW - index,
      );
    note({ type: "payment_intent.payment_failed" });
    at.bank.during("cancelIntent", losePath());
    await handleEvent(at.checkout, event({ type: "payment_intent.payment_failed" }));
    expect(at.bank.last.status).toBe("open");
    expect(noted()).toHaveLength(1);
    await handleEvent(at.checkout, event({ type: "payment_intent.payment_failed", tries: 1 }));
    expect(at.bank.last.status).toBe("canceled");
    expect(at.payment()?.["status"]).toBe("abandoned");
    expect(noted()).toEqual([]);
  });

  it("of a decline of what is not ours breaks nothing", async () => {
    await prepareWeek(at);
    at.run(`DELETE FROM payments`);
    note({ type: "payment_intent.payment_failed" });
    await handleEvent(at.checkout, event({ type: "payment_intent.payment_failed" }));
    expect(noted()).toEqual([]);
    expect(at.lines("warn", "payments.event.failed")).toEqual([]);
  });
});
