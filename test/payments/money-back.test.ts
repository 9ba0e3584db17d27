import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readMoneyBack } from "../../db/queries/payments/money-back.ts";
import { readServiceLedger } from "../../db/queries/payments/service-time.ts";
import { moneyMessage, netPoints, type MoneyBack } from "../../db/shapes/money/money-back.ts";
import { DAY_MS, HOUR_MS } from "../../db/shapes/units.ts";
import type { Refund } from "../../worker/payments/refunds.ts";
import { NOW, openPayment, paidCard, refundOf, settle, type Ledgers } from "./ledgers.ts";

const back = (ledgers: Ledgers, openDisputes: ReadonlySet<string> = new Set()): MoneyBack[] =>
  readMoneyBack(
    ledgers.refunds.map((refund) => ({
      at: NOW,
      kind: "refund" as const,
      ...refund,
      paymentId: "p",
    })),
    { service: ledgers.service, points: ledgers.points, openDisputes },
  );
const paid = () => settle(openPayment(), paidCard(openPayment()));
const after = (...steps: { refunds: Refund[]; hours?: number }[]) =>
  steps.reduce((ledgers, { refunds, hours = 0 }) => {
    return settle(ledgers, paidCard(ledgers, { refunds }), NOW + hours * HOUR_MS);
  }, paid());
const half = refundOf({ cents: 2511 });

describe("a sentence about money that went back", () => {
  it.each<[string, Ledgers, object[]]>([
    [
      "takes its share of the days",
      after({ refunds: [half] }),
      [{ key: "news_refunded", lengthMs: 3.5 * DAY_MS }],
    ],
    [
      "takes nothing in goodwill",
      after({ refunds: [{ ...half, isGoodwill: true }] }),
      [{ key: "news_refunded_days_unchanged", lengthMs: null }],
    ],
    [
      "gives no days back that never left",
      after({ refunds: [{ ...half, isGoodwill: true }] }, { refunds: [{ ...half, isEffective: false }] }),
      [{ key: "news_refund_failed_days_unchanged", lengthMs: null }],
    ],
    [
      "gives back what a refund took that failed",
      after({ refunds: [half] }, { refunds: [{ ...half, isEffective: false }] }),
      [{ key: "news_refund_failed", lengthMs: 3.5 * DAY_MS }],
    ],
    [
      "keeps what a refund took where a dispute is won",
      after({ refunds: [half, refundOf({ id: "re_2", kind: "dispute", cents: 2511, isEffective: false })] }),
      [
        { key: "news_refunded", lengthMs: 3.5 * DAY_MS },
        { key: "news_dispute_won_days_unchanged", lengthMs: null },
      ],
    ],
  ])("%s", (_what, ledgers, said) => {
    expect(back(ledgers).map(moneyMessage)).toEqual(said);
  });
});

/** Refunds and disputes that come, fail, are lost and won, in any order, while time goes by. */
const history = fc.array(
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

it("says no more than the ledger has, over ten thousand histories", () => {
  fc.assert(
    fc.property(history, fc.constantFrom(0, 100), (steps, points) => {
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
      const facts = back(ledgers);
      const { appliedMs } = readServiceLedger(ledgers.service);
      const gone = [...appliedMs].reduce((sum, [source, ms]) => sum - (source === "payment:p" ? 0 : ms), 0);
      expect(facts.reduce((sum, { takenMs, returnedMs }) => sum + takenMs - returnedMs, 0)).toBe(gone);
      for (const fact of facts) {
        const { key, lengthMs } = moneyMessage(fact);
        if (key === "news_refunded" || key === "news_disputed")
          expect(lengthMs).toBe(fact.takenMs - fact.returnedMs);
        if (key === "news_refund_failed" || key === "news_dispute_won")
          expect(lengthMs).toBe(fact.returnedMs);
        if (lengthMs !== null) expect(lengthMs).toBeLessThanOrEqual(fact.takenMs);
        if (lengthMs === null) expect(fact.takenMs - fact.returnedMs).toBe(0);
      }
      const changed = [...ledgers.points].filter(([source]) => /:re_\d/.test(source));
      expect(facts.reduce((sum, fact) => sum + netPoints(fact), 0)).toBe(
        changed.reduce((sum, [, count]) => sum + count, 0),
      );
    }),
    { numRuns: 10_000 },
  );
});
