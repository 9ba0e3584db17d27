import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PaymentChange } from "../../db/queries/payment-changes.ts";
import type { PaymentRow } from "../../db/queries/payments.ts";
import { driverId } from "../../db/shapes/units.ts";
import { PLANS_FOR_SALE } from "../../db/shapes/plans.ts";
import { pointsEarned, priceOrder, serviceTimeOf } from "../../worker/payments/prices.ts";
import { settlePayment, type CardPayment, type Refund } from "../../worker/payments/settlement.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

/** The books as the database keeps them: an entry whose source exists already is not written. */
type Books = {
  payment: PaymentRow;
  credits: Map<string, number>;
  points: Map<string, number>;
  serviceChanges: string[];
};

function write(books: Books, change: PaymentChange | null): Books {
  if (!change) return books;
  const { credits, points, raffleAt: _raffleAt, serviceChanges, ...fields } = change;
  for (const { source } of credits) expect(books.credits.has(source)).toBe(false);
  for (const { source } of points) expect(books.points.has(source)).toBe(false);
  return {
    payment: { ...books.payment, ...fields, revision: books.payment.revision + 1 },
    credits: new Map([
      ...books.credits,
      ...credits.map((entry) => [entry.source, entry.durationMs] as const),
    ]),
    points: new Map([...books.points, ...points.map((entry) => [entry.source, entry.points] as const)]),
    serviceChanges: [...books.serviceChanges, ...serviceChanges.map(({ source }) => source)],
  };
}

const settle = (books: Books, card: CardPayment) =>
  write(books, settlePayment(books.payment, { ledger: books, card }, NOW));

const total = (entries: ReadonlyMap<string, number>) =>
  [...entries.values()].reduce((sum, amount) => sum + amount, 0);

const opened = fc
  .record({ plan: fc.constantFrom(...PLANS_FOR_SALE), points: fc.nat(3000) })
  .map((given): Books => {
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

/** What becomes of each refund, one settling after the other: not there yet, effective, or failed. */
const story = fc.array(
  fc.record({
    share: fc.integer({ min: 1, max: 100 }),
    kind: fc.constantFrom<Refund["kind"]>("refund", "dispute"),
    from: fc.nat(5),
    fails: fc.option(fc.nat(5)),
  }),
  { maxLength: 5 },
);

function cardOf(
  { payment }: Books,
  look: number,
  refunds: typeof story extends fc.Arbitrary<infer Each> ? Each : never,
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
        isEffective: fails === null || look < from + fails,
      }))
      .filter(({ at }) => at <= NOW + look),
  };
}

describe("the books of a payment", () => {
  it("hold, whatever goes back and when, the share of time and points that the money left", () => {
    fc.assert(
      fc.property(
        byCard,
        story,
        fc.array(fc.nat(12), { minLength: 1, maxLength: 8 }),
        (start, refunds, looks) => {
          let books = start;
          for (const look of looks.toSorted((one, other) => one - other)) {
            const card = cardOf(start, look, refunds);
            books = settle(books, card);
            const { payment } = books;
            // One that failed before it was settled took nothing; one that failed after gave it back.
            const gone = card.refunds
              .filter(({ isEffective }) => isEffective)
              .reduce((sum, { cents }) => sum + cents, 0);
            const share = (whole: number) =>
              Math.floor((whole * Math.min(gone, payment.totalCents)) / payment.totalCents);
            const whole = serviceTimeOf(payment.plan);
            const earned = pointsEarned(payment);
            expect(total(books.credits)).toBe(whole - share(whole));
            expect(total(books.points)).toBe(earned - share(earned) - payment.points + share(payment.points));
            expect(payment.refundedCents).toBeLessThanOrEqual(payment.totalCents);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("do not change when the same is settled twice", () => {
    fc.assert(
      fc.property(byCard, story, fc.nat(12), (start, refunds, look) => {
        const card = cardOf(start, look, refunds);
        const books = settle(start, card);
        expect(settlePayment(books.payment, { ledger: books, card }, NOW + 1)).toBeNull();
        expect(new Set(books.serviceChanges).size).toBe(books.serviceChanges.length);
      }),
      { numRuns: 1000 },
    );
  });

  it("release points when a payment is abandoned, and take them again where it was paid all the same", () => {
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
