import { expect } from "vitest";
import type { PaymentChange } from "../../db/queries/payments/payment-changes.ts";
import type { PaymentLedger, PaymentRow } from "../../db/queries/payments/payments.ts";
import type { ServiceEntry } from "../../db/queries/payments/service-time.ts";
import type { ServiceChange } from "../../db/shapes/profile.ts";
import { SEED_PRICES, type PlanForSale } from "../../db/shapes/money/plans.ts";
import { driverId } from "../../db/shapes/units.ts";
import { toPaymentRow } from "../../worker/payments/prepare.ts";
import { priceOrder } from "../../worker/payments/prices/prices.ts";
import type { Refund } from "../../worker/payments/refunds.ts";
import { settlePayment } from "../../worker/payments/settlement.ts";
import type { CardPayment } from "../../worker/payments/card-payment.ts";

export const NOW = Date.parse("2026-11-21T12:00:00Z");

/** A payment and its ledger entries as stored in the database. */
export type Ledgers = {
  payment: PaymentRow;
  service: readonly ServiceEntry[];
  points: ReadonlyMap<string, number>;
  refunds: PaymentLedger["refunds"];
  disputes: PaymentLedger["disputes"];
  reports: PaymentLedger["reports"];
  serviceChanges: readonly ServiceChange[];
  raffle: boolean;
};

function write(ledgers: Ledgers, change: PaymentChange | null, now: number): Ledgers {
  if (!change) return ledgers;
  const {
    credits,
    points,
    raffle,
    refunds,
    disputes,
    reports,
    serviceChanges,
    consent: _consent,
    ...fields
  } = change;
  for (const { source } of credits)
    expect(ledgers.service.some((entry) => entry.source === source)).toBe(false);
  for (const { source } of points) expect(ledgers.points.has(source)).toBe(false);
  return {
    payment: { ...ledgers.payment, ...fields, revision: ledgers.payment.revision + 1 },
    service: [...ledgers.service, ...credits.map((credit) => ({ ...credit, at: now }))],
    points: new Map([...ledgers.points, ...points.map((entry) => [entry.source, entry.points] as const)]),
    refunds: [...ledgers.refunds.filter(({ id }) => !refunds.some((fresh) => fresh.id === id)), ...refunds],
    disputes: [
      ...ledgers.disputes.filter(({ id }) => !disputes.some((fresh) => fresh.id === id)),
      ...disputes,
    ],
    reports: [...ledgers.reports.filter(({ id }) => !reports.some((fresh) => fresh.id === id)), ...reports],
    serviceChanges: [...ledgers.serviceChanges, ...serviceChanges],
    raffle: raffle === null ? ledgers.raffle : raffle.kind === "enter",
  };
}

export const settle = (ledgers: Ledgers, card: CardPayment, now = NOW) =>
  write(ledgers, settlePayment(ledgers.payment, { ledger: ledgers, card }, now), now);

export const sum = (entries: ReadonlyMap<string, number>) =>
  [...entries.values()].reduce((total, amount) => total + amount, 0);
export const ownService = ({ service }: Ledgers) =>
  service.filter(({ source }) => source.startsWith("payment:p")).map(({ durationMs }) => durationMs);
export const serviceOf = (ledgers: Ledgers) => ownService(ledgers).reduce((total, ms) => total + ms, 0);

export function openPayment({
  plan = "7days",
  points = 0,
}: { plan?: PlanForSale; points?: number } = {}): Ledgers {
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
    ...toPaymentRow(order, { driverId: driverId.parse("d"), now: NOW, tax: null }),
    id: "p",
    intentId: "pi",
  };
  return {
    payment,
    service: [],
    points: order.points > 0 ? new Map([["payment:p:reserved", -order.points]]) : new Map(),
    refunds: [],
    disputes: [],
    reports: [],
    serviceChanges: [],
    raffle: false,
  };
}

export function paidCard({ payment }: Ledgers, change: Partial<CardPayment> = {}): CardPayment {
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
    disputes: [],
    processorFeeCents: null,
    usage: null,
    openDispute: null,
    fingerprint: "print_1",
    reports: [],
    ...change,
  };
}

export const refundOf = (change: Partial<Refund>): Refund => ({
  id: "re_1",
  kind: "refund",
  cents: 100,
  at: NOW,
  isEffective: true,
  isGoodwill: false,
  ...change,
});
