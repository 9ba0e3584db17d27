import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PaymentChange } from "../../db/queries/payment-changes.ts";
import type { PaymentRow } from "../../db/queries/payments.ts";
import { driverId } from "../../db/shapes/units.ts";
import { PLANS_FOR_SALE } from "../../db/shapes/plans.ts";
import { pointsEarned, priceOrder, serviceTimeOf } from "../../worker/payments/prices.ts";
import { settlePayment, type CardPayment, type Refund } from "../../worker/payments/settlement.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

/** A payment and its ledger entries as stored in the database. */
type Ledgers = {
  payment: PaymentRow;
  credits: Map<string, number>;
  points: Map<string, number>;
  serviceChanges: string[];
};

function write(ledgers: Ledgers, change: PaymentChange | null): Ledgers {
  if (!change) return ledgers;
  const { credits, points, raffleAt: _raffleAt, serviceChanges, ...fields } = change;
  for (const { source } of credits) expect(ledgers.credits.has(source)).toBe(false);
  for (const { source } of points) expect(ledgers.points.has(source)).toBe(false);
  return {
    payment: { ...ledgers.payment, ...fields, revision: ledgers.payment.revision + 1 },
    credits: new Map([
      ...ledgers.credits,
      ...credits.map((entry) => [entry.source, entry.durationMs] as const),
    ]),
    points: new Map([...ledgers.points, ...points.map((entry) => [entry.source, entry.points] as const)]),
    serviceChanges: [...ledgers.serviceChanges, ...serviceChanges.map(({ source }) => source)],
  };
}

const settle = (ledgers: Ledgers, card: CardPayment) =>
  write(ledgers, settlePayment(ledgers.payment, { ledger: ledgers, card }, NOW));

const total = (entries: ReadonlyMap<string, number>) =>
  [...entries.values()].reduce((sum, amount) => sum + amount, 0);

const opened = fc
  .record({ plan: fc.constantFrom(...PLANS_FOR_SALE), points: fc.nat(3000) })
  .map((given): Ledgers => {
    const price = priceOrder(
      { ...given, currency: "USD", balance: given.points, discounts: [], feeMillionths: 7000 },
      NOW,
    );
    const payment: PaymentRow = {
      ...price,
      id: "p",
      driverId: driverId.parse("d"),
      intentId: "pi",
      status: "open",
      refundedCents: 0,
      receiptUrl: null,
      createdAt: NOW,
      settledAt: null,
      revision: 1,
    };
    return {
      payment,
      credits: new Map(),
      points: price.points > 0 ? new Map([["payment:p:reserved", -price.points]]) : new Map(),
      serviceChanges: [],
    };
  });

const byCard = opened.filter(({ payment }) => payment.totalCents > 0);

/** Refunds and disputes: when each one appears, and after how long it fails, if it does. */
const refundHistory = fc.array(
  fc.record({
    share: fc.integer({ min: 1, max: 100 }),
    kind: fc.constantFrom<Refund["kind"]>("refund", "dispute"),
    from: fc.nat(5),
    fails: fc.option(fc.nat(5)),
  }),
  { maxLength: 5 },
);

function cardOf(
  { payment }: Ledgers,
  minute: number,
  refunds: typeof refundHistory extends fc.Arbitrary<infer Each> ? Each : never,
): CardPayment {
  return {
    intentId: "pi",
    paymentId: "p",
    status: "succeeded",
    cents: payment.totalCents,
    currency: "USD",
    clientSecret: null,
    paidAt: NOW,
    receiptUrl: null,
    isDisputed: false,
    refunds: refunds
      .map(({ share, kind, from, fails }, index) => ({
        id: `re_${index}`,
        kind,
        cents: Math.max(1, Math.floor((payment.totalCents * share) / 100)),
        at: NOW + from,
        isEffective: fails === null || minute < from + fails,
      }))
      .filter(({ at }) => at <= NOW + minute),
  };
}

describe("the ledgers of a payment", () => {
  it("keep time and points in proportion to the money kept, for any refunds and disputes", () => {
    fc.assert(
      fc.property(
        byCard,
        refundHistory,
        fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }),
        (start, refunds, minutes) => {
          let ledgers = start;
          for (const minute of minutes.toSorted((one, other) => one - other)) {
            const card = cardOf(start, minute, refunds);
            ledgers = settle(ledgers, card);
            const { payment } = ledgers;
            // A refund that failed before a settlement took nothing; one that failed later was reverted.
            const refundedCents = card.refunds
              .filter(({ isEffective }) => isEffective)
              .reduce((sum, { cents }) => sum + cents, 0);
            const share = (whole: number) =>
              Math.floor((whole * Math.min(refundedCents, payment.totalCents)) / payment.totalCents);
            const whole = serviceTimeOf(payment.plan);
            const earned = pointsEarned(payment);
            expect(total(ledgers.credits)).toBe(whole - share(whole));
            expect(total(ledgers.points)).toBe(
              earned - share(earned) - payment.points + share(payment.points),
            );
            expect(payment.refundedCents).toBeLessThanOrEqual(payment.totalCents);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("do not change if the same state is settled again", () => {
    fc.assert(
      fc.property(byCard, refundHistory, fc.nat(12), (start, refunds, minute) => {
        const card = cardOf(start, minute, refunds);
        const ledgers = settle(start, card);
        expect(settlePayment(ledgers.payment, { ledger: ledgers, card }, NOW + 1)).toBeNull();
        expect(new Set(ledgers.serviceChanges).size).toBe(ledgers.serviceChanges.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("release points if a payment is abandoned, and take them again if it is paid after all", () => {
    fc.assert(
      fc.property(byCard, (start) => {
        const card = cardOf(start, 0, []);
        const canceled = settle(start, { ...card, status: "canceled" });
        expect(canceled.payment.status).toBe("abandoned");
        expect(total(canceled.points)).toBe(0);
        expect(
          settlePayment(canceled.payment, { ledger: canceled, card: { ...card, status: "canceled" } }, NOW),
        ).toBeNull();
        const paid = settle(canceled, card);
        expect(paid.payment.status).toBe("settled");
        expect(total(paid.points)).toBe(pointsEarned(start.payment) - start.payment.points);
      }),
      { numRuns: 500 },
    );
  });
});
