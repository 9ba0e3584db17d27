import { describe, expect, it } from "vitest";
import { moneyMessage } from "../../../db/shapes/money/money-back.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import type { Refund } from "../../../worker/payments/refunds.ts";
import { NOW, openPayment, paidCard, refundOf, settle, type Ledgers } from "../ledgers.ts";
import { moneyBackOf } from "../money-histories.ts";

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
    expect(moneyBackOf(ledgers).map(moneyMessage)).toEqual(said);
  });
});
