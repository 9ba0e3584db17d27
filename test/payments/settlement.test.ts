import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PaymentChange } from "../../db/queries/payment-changes.ts";
import type { PaymentLedger, PaymentRow } from "../../db/queries/payments.ts";
import { readServiceLedger, serviceUntilOf, type ServiceEntry } from "../../db/queries/service-time.ts";
import type { ServiceChange } from "../../db/shapes/profile.ts";
import { PLANS_FOR_SALE, SEED_PRICES, type PlanForSale } from "../../db/shapes/plans.ts";
import { DAY_MS, driverId } from "../../db/shapes/units.ts";
import { pointsEarned, priceOrder, serviceTimeOf } from "../../worker/payments/prices.ts";
import type { Refund } from "../../worker/payments/refunds.ts";
import { settlePayment, type CardPayment } from "../../worker/payments/settlement.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");

/** A payment and its ledger entries as stored in the database. */
type Ledgers = {
  payment: PaymentRow;
  service: readonly ServiceEntry[];
  points: ReadonlyMap<string, number>;
  refunds: PaymentLedger["refunds"];
  serviceChanges: readonly ServiceChange[];
  raffle: boolean;
};

function write(ledgers: Ledgers, change: PaymentChange | null, now: number): Ledgers {
  if (!change) return ledgers;
  const { credits, points, raffle, refunds, serviceChanges, consent: _consent, ...fields } = change;
  for (const { source } of credits)
    expect(ledgers.service.some((entry) => entry.source === source)).toBe(false);
  for (const { source } of points) expect(ledgers.points.has(source)).toBe(false);
  return {
    payment: { ...ledgers.payment, ...fields, revision: ledgers.payment.revision + 1 },
    service: [...ledgers.service, ...credits.map((credit) => ({ ...credit, at: now }))],
    points: new Map([...ledgers.points, ...points.map((entry) => [entry.source, entry.points] as const)]),
    refunds: [...ledgers.refunds.filter(({ id }) => !refunds.some((fresh) => fresh.id === id)), ...refunds],
    serviceChanges: [...ledgers.serviceChanges, ...serviceChanges],
    raffle: raffle === null ? ledgers.raffle : raffle.kind === "enter",
  };
}

const settle = (ledgers: Ledgers, card: CardPayment, now = NOW) =>
  write(ledgers, settlePayment(ledgers.payment, { ledger: ledgers, card }, now), now);

const sum = (entries: ReadonlyMap<string, number>) =>
  [...entries.values()].reduce((total, amount) => total + amount, 0);
const ownService = ({ service }: Ledgers) =>
  service.filter(({ source }) => source.startsWith("payment:p")).map(({ durationMs }) => durationMs);
const serviceOf = (ledgers: Ledgers) => ownService(ledgers).reduce((total, ms) => total + ms, 0);

function openPayment({ plan = "7days", points = 0 }: { plan?: PlanForSale; points?: number } = {}): Ledgers {
  const order = priceOrder(
    {
      plan,
      points,
      price: { id: `${plan}-1`, priceCents: SEED_PRICES[plan] },
      minChargeCents: 50,
      currency: "USD",
      balance: points,
      discounts: [],
      feeMillionths: 7000,
    },
    NOW,
  );
  const payment: PaymentRow = {
    ...order,
    id: "p",
    driverId: driverId.parse("d"),
    intentId: "pi",
    status: "open",
    refundedCents: 0,
    receiptUrl: null,
    createdAt: NOW,
    settledAt: null,
    revision: 1,
    processingAt: null,
    receiptNumber: null,
    taxName: null,
    taxMillionths: null,
    method: null,
    methodBrand: null,
    methodLast4: null,
    orphanedAt: null,
    methodId: null,
    renewalCapCents: null,
    renewalWords: null,
    renewalOf: null,
  };
  return {
    payment,
    service: [],
    points: order.points > 0 ? new Map([["payment:p:reserved", -order.points]]) : new Map(),
    refunds: [],
    serviceChanges: [],
    raffle: false,
  };
}

const byCard = fc
  .record({ plan: fc.constantFrom(...PLANS_FOR_SALE), points: fc.nat(3000) })
  .map(openPayment)
  .filter(({ payment }) => payment.totalCents > 0);

function paidCard({ payment }: Ledgers, change: Partial<CardPayment> = {}): CardPayment {
  return {
    intentId: "pi",
    paymentId: "p",
    status: "succeeded",
    cents: payment.totalCents,
    currency: "USD",
    clientSecret: null,
    paidAt: NOW,
    receiptUrl: null,
    method: { type: "card", brand: "visa", last4: "4242" },
    methodId: "pm_1",
    failure: null,
    refunds: [],
    openDispute: null,
    ...change,
  };
}

const refundOf = (change: Partial<Refund>): Refund => ({
  id: "re_1",
  kind: "refund",
  cents: 100,
  at: NOW,
  isEffective: true,
  isGoodwill: false,
  ...change,
});

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
          // What a failed refund gives back is what it took, so a refund that took less because of it stays so.
          const overlap = refunds.reduce((total, { cents }) => total + cents, 0) > payment.totalCents;
          if (!overlap)
            expect(Math.abs(whole - taken - serviceOf(ledgers))).toBeLessThanOrEqual(refunds.length);
          expect(serviceOf(ledgers)).toBeGreaterThanOrEqual(0);
          expect(serviceOf(ledgers)).toBeLessThanOrEqual(whole);
          expect(payment.refundedCents).toBeLessThanOrEqual(payment.totalCents);
          const balance = sum(ledgers.points);
          expect(balance).toBeGreaterThanOrEqual(-payment.points);
          expect(balance).toBeLessThanOrEqual(
            Math.max(pointsEarned(payment), payment.points) + refunds.length,
          );
        }
      }),
      { numRuns: 2000 },
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
      { numRuns: 2000 },
    );
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
      { numRuns: 1000 },
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
      { numRuns: 500 },
    );
  });
});

describe("a refund", () => {
  const paid = () => {
    const start = openPayment();
    return settle(start, paidCard(start));
  };
  const daysLeft = ({ service }: Ledgers, now: number) => (Number(serviceUntilOf(service)) - now) / DAY_MS;
  const newsOf = ({ serviceChanges }: Ledgers) =>
    serviceChanges
      .slice(1)
      .map(({ kind, money, changedMs }) => [kind, money?.cents, (changedMs ?? 0) / DAY_MS]);

  it("takes the days that are unused of its payment, and returns those where it fails", () => {
    const start = paid();
    const sixth = NOW + 6 * DAY_MS;
    const whole = refundOf({ cents: 5022, at: sixth });
    const refunded = settle(start, paidCard(start, { refunds: [whole] }), sixth);
    expect([refunded.payment.status, daysLeft(refunded, sixth)]).toEqual(["refunded", 0]);
    const eighth = NOW + 8 * DAY_MS;
    const failed = settle(refunded, paidCard(start, { refunds: [{ ...whole, isEffective: false }] }), eighth);
    expect([failed.payment.status, daysLeft(failed, eighth)]).toEqual(["settled", 1]);
    expect(newsOf(failed)).toEqual([
      ["refunded", 5022, -1],
      ["refund_failed", 5022, 1],
    ]);
  });

  it("of goodwill leaves days and points", () => {
    const start = paid();
    const goodwill = refundOf({ cents: 5022, isGoodwill: true });
    const kept = settle(start, paidCard(start, { refunds: [goodwill] }));
    expect([kept.payment.status, daysLeft(kept, NOW), sum(kept.points)]).toEqual(["refunded", 7, 70]);
    expect(newsOf(kept)).toEqual([["refunded", 5022, 0]]);
  });

  it("that is marked as goodwill afterwards returns the days", () => {
    const start = paid();
    const plain = refundOf({ cents: 2511 });
    const taken = settle(start, paidCard(start, { refunds: [plain] }));
    expect(daysLeft(taken, NOW)).toBe(3.5);
    const marked = settle(taken, paidCard(start, { refunds: [{ ...plain, isGoodwill: true }] }));
    expect([daysLeft(marked, NOW), sum(marked.points)]).toEqual([7, 70]);
    expect(newsOf(marked)).toEqual([
      ["refunded", 2511, -3.5],
      ["days_kept", 2511, 3.5],
    ]);
  });

  it("in full takes its payment out of the raffle, and one that fails puts it back", () => {
    const start = paid();
    expect(start.raffle).toBe(true);
    const part = settle(start, paidCard(start, { refunds: [refundOf({ cents: 100 })] }));
    expect(part.raffle).toBe(true);
    const whole = refundOf({ cents: 5022 });
    const refunded = settle(start, paidCard(start, { refunds: [whole] }));
    expect(refunded.raffle).toBe(false);
    const failed = settle(refunded, paidCard(start, { refunds: [{ ...whole, isEffective: false }] }));
    expect(failed.raffle).toBe(true);
  });
});

describe("a dispute", () => {
  const dispute = (isEffective: boolean) =>
    refundOf({ id: "du_1", kind: "dispute", cents: 5022, isEffective });
  const open = { id: "du_1", cents: 5022 };
  const kinds = ({ serviceChanges }: Ledgers) => serviceChanges.map(({ kind }) => kind);

  it("is told when it is opened and when it is won", () => {
    const start = openPayment();
    const disputed = settle(
      settle(start, paidCard(start)),
      paidCard(start, { openDispute: open, refunds: [dispute(false)] }),
    );
    expect([disputed.payment.status, kinds(disputed)]).toEqual(["disputed", ["paid", "dispute_opened"]]);
    const won = settle(disputed, paidCard(start, { refunds: [dispute(false)] }));
    expect([won.payment.status, kinds(won)]).toEqual(["settled", ["paid", "dispute_opened", "dispute_won"]]);
  });

  it("that was lost and then won returns exactly what it took", () => {
    const start = openPayment();
    const paid = settle(start, paidCard(start));
    const sixth = NOW + 6 * DAY_MS;
    const lost = settle(paid, paidCard(start, { refunds: [dispute(true)] }), sixth);
    const won = settle(lost, paidCard(start, { refunds: [dispute(false)] }), sixth + 9 * DAY_MS);
    expect(ownService(won).map((ms) => ms / DAY_MS)).toEqual([7, -1, 1]);
    expect(kinds(won)).toEqual(["paid", "disputed", "dispute_won"]);
  });
});
