import * as fc from "fast-check";
import { readMoneyBack } from "../../db/queries/payments/money-back.ts";
import type { MoneyBack } from "../../db/shapes/money/money-back.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import type { Refund } from "../../worker/payments/refunds.ts";
import { NOW, openPayment, paidCard, refundOf, settle, type Ledgers } from "./ledgers.ts";

/** Refunds and disputes that come, fail, are lost and won, in any order, while time goes by. */
export const history = fc.array(
  fc.record({
    hours: fc.integer({ min: 0, max: 60 }),
    refund: fc.integer({ min: 0, max: 3 }),
    cents: fc.integer({ min: 1, max: 6000 }),
    isEffective: fc.boolean(),
    isGoodwill: fc.boolean(),
    isDispute: fc.boolean(),
  }),
  { maxLength: 8 },
);

/** A payment after a history, as its ledgers have it. */
export function live(steps: History, points = 0): Ledgers {
  const open = openPayment({ points });
  let ledgers = settle(open, paidCard(open));
  let now = NOW;
  const refunds = new Map<number, Refund>();
  for (const { hours, refund, cents, isEffective, isGoodwill, isDispute } of steps) {
    now += hours * HOUR_MS;
    const known = refunds.get(refund);
    const kind = isDispute ? ("dispute" as const) : ("refund" as const);
    const made = known ?? refundOf({ id: `re_${refund}`, kind, cents, at: now });
    refunds.set(refund, { ...made, isEffective, isGoodwill: isGoodwill && made.kind === "refund" });
    ledgers = settle(ledgers, paidCard(ledgers, { refunds: [...refunds.values()] }), now);
  }
  return ledgers;
}
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never;

/** The refunds and disputes of it, as every channel reads them. */
export function moneyBackOf(ledgers: Ledgers, openDisputes: ReadonlySet<string> = new Set()): MoneyBack[] {
  const rows = ledgers.refunds.map((refund) => {
    return { at: NOW, kind: "refund" as const, ...refund, paymentId: "p" };
  });
  return readMoneyBack(rows, { service: ledgers.service, points: ledgers.points, openDisputes });
}
