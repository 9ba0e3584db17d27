import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readServiceLedger } from "../../db/queries/payments/service-time.ts";
import { PLANS_FOR_SALE } from "../../db/shapes/money/plans.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { pointsEarned, serviceTimeOf } from "../../worker/payments/prices/prices.ts";
import type { Refund } from "../../worker/payments/refunds.ts";
import { settlePayment } from "../../worker/payments/settlement.ts";
import { NOW, openPayment, paidCard, serviceOf, settle, sum, type Ledgers } from "./ledgers.ts";
import { draws } from "../support/draws.ts";

const byCard = fc
  .record({ plan: fc.constantFrom(...PLANS_FOR_SALE), points: fc.nat(3000) })
  .map(openPayment)
  .filter(({ payment }) => payment.totalCents > 0);

/** Refunds and disputes: when each one appears, and after how long it fails, if it does; in minutes or days. */
const refundHistory = fc.array(
  fc.record({
    share: fc.integer({ min: 1, max: 100 }),
    kind: fc.constantFrom<Refund["kind"]>("refund", "dispute"),
    from: fc.nat(5),
    fails: fc.option(fc.nat(5)),
    isGoodwill: fc.boolean(),
  }),
  { maxLength: 5 },
);
type RefundHistory = typeof refundHistory extends fc.Arbitrary<infer Each> ? Each : never;

function refundsAt({ payment }: Ledgers, step: number, history: RefundHistory): Refund[] {
  return history
    .map(({ share, kind, from, fails, isGoodwill }, index) => ({
      id: `re_${index}`,
      kind,
      cents: Math.max(1, Math.floor((payment.totalCents * share) / 100)),
      at: NOW + from,
      isEffective: fails === null || step < from + fails,
      isGoodwill: isGoodwill && kind === "refund",
    }))
    .filter((_refund, index) => (history[index]?.from ?? 0) <= step);
}

const steps = fc
  .array(fc.nat(12), { minLength: 1, maxLength: 8 })
  .map((list) => list.toSorted((a, b) => a - b));

describe("the ledgers of a payment", () => {
  it("keep time and points in proportion to the money kept, while no time passes", () => {
    fc.assert(
      fc.property(byCard, refundHistory, steps, (start, history, at) => {
        let ledgers = start;
        for (const step of at) {
          const refunds = refundsAt(start, step, history);
          ledgers = settle(ledgers, paidCard(start, { refunds }));
          const { payment } = ledgers;
          const taking = refunds.filter(({ isEffective, isGoodwill }) => isEffective && !isGoodwill);
          const takenCents = taking.reduce((total, { cents }) => total + cents, 0);
          const whole = serviceTimeOf(payment.plan);
          const taken = Math.floor((whole * Math.min(takenCents, payment.totalCents)) / payment.totalCents);
          // A failed refund gives back exactly what it took, so a refund that took less because of it stays so.
          const overlap = refunds.reduce((total, { cents }) => total + cents, 0) > payment.totalCents;
          if (!overlap)
            expect(Math.abs(whole - taken - serviceOf(ledgers))).toBeLessThanOrEqual(refunds.length);
          expect(serviceOf(ledgers)).toBeGreaterThanOrEqual(0);
          expect(serviceOf(ledgers)).toBeLessThanOrEqual(whole);
          expect(payment.refundedCents).toBeLessThanOrEqual(payment.totalCents);
          const balance = sum(ledgers.points);
          const all = pointsEarned(payment) - payment.points;
          expect(balance).toBeGreaterThanOrEqual(Math.min(0, all));
          expect(balance).toBeLessThanOrEqual(Math.max(0, all));
          const kept = Math.max(0, 1 - takenCents / payment.totalCents);
          if (!overlap) expect(Math.abs(all * kept - balance)).toBeLessThanOrEqual(refunds.length);
        }
      }),
      draws({ whole: 2_000, usual: 300 }),
    );
  });

  it("never take service below zero or from another payment, and give back exactly what they took", () => {
    const others = fc.array(
      fc.record({ days: fc.integer({ min: 1, max: 30 }), before: fc.integer({ min: 0, max: 40 }) }),
      { maxLength: 3 },
    );
    fc.assert(
      fc.property(byCard, others, refundHistory, steps, fc.nat(3), (start, granted, history, at, later) => {
        let ledgers: Ledgers = {
          ...start,
          service: granted
            .map(({ days, before }, index) => ({
              source: `other:${index}`,
              durationMs: days * DAY_MS,
              at: NOW - before * DAY_MS,
            }))
            .toSorted((one, other) => one.at - other.at),
        };
        ledgers = settle(ledgers, paidCard(start));
        if (later > 0) {
          const bought = { source: "other:later", durationMs: later * DAY_MS, at: NOW };
          ledgers = { ...ledgers, service: [...ledgers.service, bought] };
        }
        for (const step of at) {
          const now = NOW + step * DAY_MS;
          const before = readServiceLedger(ledgers.service, now);
          const next = settle(ledgers, paidCard(start, { refunds: refundsAt(start, step, history) }), now);
          const after = readServiceLedger(next.service, now);
          for (const [source, unused] of before.unusedMs) {
            if (source !== "payment:p") expect(after.unusedMs.get(source)).toBe(unused);
          }
          expect(after.unusedMs.get("payment:p")).toBeGreaterThanOrEqual(0);
          for (const { source, durationMs } of next.service.slice(ledgers.service.length)) {
            // Written is what was taken: the ledger's sum is what was paid for.
            expect((after.appliedMs.get(source) ?? 0) + 0).toBe(durationMs + 0);
            const debit = source.endsWith(":undone") ? source.slice(0, -":undone".length) : null;
            if (debit !== null) expect(durationMs + (after.appliedMs.get(debit) ?? 0)).toBe(0);
          }
          ledgers = next;
        }
      }),
      draws({ whole: 2_000, usual: 300 }),
    );
  });

  it("give back no more than was taken where refunds of more than the payment fail by turns", () => {
    const begun = openPayment({ plan: "3days" });
    const each = { kind: "refund", isGoodwill: false } as const;
    const history = [
      { ...each, share: 41, from: 1, fails: 2 },
      { ...each, share: 16, from: 2, fails: 1 },
      { ...each, share: 63, from: 2, fails: 2 },
      { ...each, share: 1, from: 3, fails: 2 },
      { ...each, share: 1, from: 4, fails: 2 },
    ];
    let ledgers = begun;
    const left = [0, 2, 3, 4, 5, 6].map((step) => {
      ledgers = settle(ledgers, paidCard(begun, { refunds: refundsAt(begun, step, history) }));
      return [sum(ledgers.points), Math.round((100 * serviceOf(ledgers)) / serviceTimeOf("3days"))];
    });
    expect(left).toEqual([
      [30, 100],
      [0, 0],
      [16, 56],
      [29, 98],
      [30, 99],
      [30, 100],
    ]);
  });

  it("do not change if the same state is settled again", () => {
    fc.assert(
      fc.property(byCard, refundHistory, fc.nat(12), (start, history, step) => {
        const card = paidCard(start, { refunds: refundsAt(start, step, history) });
        const ledgers = settle(start, card);
        expect(settlePayment(ledgers.payment, { ledger: ledgers, card }, NOW + 1)).toBeNull();
        const sources = ledgers.serviceChanges.map(({ source }) => source);
        expect(new Set(sources).size).toBe(sources.length);
      }),
      draws({ whole: 1_000, usual: 200 }),
    );
  });

  it("credit a payment once and begin its renewal once, whoever charged it", () => {
    const given = fc.record({ renews: fc.boolean(), isRenewal: fc.boolean(), looks: fc.nat(5) });
    fc.assert(
      fc.property(byCard, refundHistory, given, (start, history, { renews, isRenewal, looks }) => {
        const payment: Ledgers["payment"] = {
          ...start.payment,
          renewalCapCents: renews ? start.payment.totalCents : null,
          renewalWords: renews ? 1 : null,
          renewalOf: isRenewal ? "consent" : null,
        };
        let ledgers: Ledgers = { ...start, payment };
        let begun = 0;
        for (let look = 0; look <= looks; look += 1) {
          const card = paidCard(ledgers, { refunds: refundsAt(start, look, history) });
          const change = settlePayment(ledgers.payment, { ledger: ledgers, card }, NOW);
          begun += change?.consent ? 1 : 0;
          ledgers = settle(ledgers, card);
        }
        expect(begun).toBe(renews ? 1 : 0);
        expect(ledgers.service.filter(({ source }) => source === "payment:p")).toHaveLength(1);
      }),
      draws({ whole: 500, usual: 100 }),
    );
  });

  it("release points if a payment is abandoned, and take them again if it is paid after all", () => {
    fc.assert(
      fc.property(byCard, (start) => {
        const card = paidCard(start);
        const canceled = settle(start, { ...card, status: "canceled" });
        expect(canceled.payment.status).toBe("abandoned");
        expect(sum(canceled.points)).toBe(0);
        expect(
          settlePayment(canceled.payment, { ledger: canceled, card: { ...card, status: "canceled" } }, NOW),
        ).toBeNull();
        const paid = settle(canceled, card);
        expect(paid.payment.status).toBe("settled");
        expect(sum(paid.points)).toBe(pointsEarned(start.payment) - start.payment.points);
      }),
      draws({ whole: 500, usual: 100 }),
    );
  });
});
