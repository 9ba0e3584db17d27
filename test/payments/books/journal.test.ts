import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PaymentChange } from "../../../db/queries/payments/payment-changes.ts";
import type { DisputeRow } from "../../../db/queries/payments/payments.ts";
import { readServiceLedger } from "../../../db/queries/payments/service-time.ts";
import type { JournalLine } from "../../../db/shapes/money/journal.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import type { Refund } from "../../../worker/payments/refunds.ts";
import { settlePayment } from "../../../worker/payments/settlement.ts";
import type { CardPayment } from "../../../worker/payments/card-payment.ts";
import { earnedLines } from "../../../worker/payments/books/earned.ts";
import { worthOf } from "../../../worker/payments/books/journal.ts";
import { NOW, openPayment, paidCard, refundOf, settle, type Ledgers } from "../ledgers.ts";
import { countOf, draws } from "../../support/draws.ts";

/** The balance of each account. */
function balances(lines: readonly JournalLine[]): Record<string, number> {
  const held = new Map<string, number>();
  for (const line of lines) held.set(line.account, (held.get(line.account) ?? 0) + line.amount);
  return Object.fromEntries([...held].filter(([, amount]) => amount !== 0));
}

/** A payment with its ledgers, and the journal that its settling wrote. */
type Life = { ledgers: Ledgers; lines: JournalLine[] };

function live({ ledgers, lines }: Life, card: Partial<CardPayment>, now: number): Life {
  const paid = paidCard(ledgers, card);
  const change: PaymentChange | null = settlePayment(ledgers.payment, { ledger: ledgers, card: paid }, now);
  return { ledgers: settle(ledgers, paid, now), lines: [...lines, ...(change?.journal ?? [])] };
}

const begin = (taxMillionths: number | null = null): Life => {
  const open = openPayment();
  return { ledgers: { ...open, payment: { ...open.payment, taxMillionths } }, lines: [] };
};
const dispute = (status: DisputeRow["status"]): DisputeRow => {
  return { id: "du_1", status, reason: "fraudulent", cents: 5022, feeCents: 1500, dueAt: null, at: NOW };
};

describe("the journal", () => {
  it("has what came in, what is owed of it, and Stripe's fee", () => {
    const { lines } = live(begin(160_000), { processorFeeCents: 176 }, NOW);
    expect(balances(lines)).toEqual({ stripe: 4846, fees: 176, tax: -693, service_owed: -4329 });
  });

  it("names each entry by the payment, its revision, and what it books", () => {
    const named = (lines: readonly JournalLine[]) => [...new Set(lines.map(({ entry }) => entry))];
    const paid = live(begin(160_000), { processorFeeCents: 176 }, NOW);
    const { id, revision } = begin().ledgers.payment;
    expect(named(paid.lines)).toEqual([`${id}:${revision}:paid`, `${id}:${revision}:fee`]);
    const later = `${id}:${paid.ledgers.payment.revision}`;
    const lost = refundOf({ id: "du_1", kind: "dispute", cents: 5022, isEffective: false });
    const open = live(paid, { disputes: [dispute("needs_response")], refunds: [lost] }, NOW);
    expect(named(open.lines.slice(paid.lines.length))).toEqual([`${later}:du_1:held`, `${later}:du_1:fee`]);
    const refunded = live(paid, { refunds: [refundOf({ id: "re_1", cents: 5022 })] }, NOW);
    expect(named(refunded.lines.slice(paid.lines.length))).toEqual([`${later}:re_1`]);
  });

  it("takes tax and service back with a refund, and what was used from revenue", () => {
    const paid = live(begin(160_000), {}, NOW);
    const whole = refundOf({ cents: 5022 });
    const { lines } = live(paid, { refunds: [whole] }, NOW + 3.5 * DAY_MS);
    // Half of the week was used, and is still to be earned from what is owed.
    expect(balances(lines)).toEqual({ service_owed: -2164, revenue: 2164 });
  });

  it("books goodwill as what it is", () => {
    const kept = refundOf({ cents: 2511, isGoodwill: true });
    const { lines } = live(live(begin(), {}, NOW), { refunds: [kept] }, NOW);
    expect(balances(lines)).toEqual({ stripe: 2511, service_owed: -5022, goodwill: 2511 });
  });

  it("holds a dispute's money, and takes or returns it as it is decided", () => {
    const lost = refundOf({ id: "du_1", kind: "dispute", cents: 5022, isEffective: false });
    const open = { disputes: [dispute("needs_response")], refunds: [lost] };
    const held = live(live(begin(), {}, NOW), open, NOW);
    expect(balances(held.lines)).toEqual({
      stripe: -1500,
      fees: 1500,
      disputes_held: 5022,
      service_owed: -5022,
    });
    const taken = live(held, { disputes: [dispute("lost")], refunds: [{ ...lost, isEffective: true }] }, NOW);
    expect(balances(taken.lines)).toEqual({ stripe: -1500, fees: 1500 });
    const won = { disputes: [dispute("won")], refunds: [lost] };
    expect(balances(live(held, won, NOW).lines)).toEqual({ stripe: 3522, fees: 1500, service_owed: -5022 });
    expect(balances(live(taken, won, NOW).lines)).toEqual({ stripe: 3522, fees: 1500, service_owed: -5022 });
  });

  it.each(["other", "prevented"] as const)(
    "takes the money of a lost dispute once, where it was %s before and took nothing",
    (status) => {
      const lost = refundOf({ id: "du_1", kind: "dispute", cents: 5022, isEffective: false });
      const waiting = live(live(begin(), {}, NOW), { disputes: [dispute(status)], refunds: [lost] }, NOW);
      expect(balances(waiting.lines)).toEqual({ stripe: 3522, fees: 1500, service_owed: -5022 });
      const card = { disputes: [dispute("lost")], refunds: [{ ...lost, isEffective: true }] };
      expect(balances(live(waiting, card, NOW).lines)).toEqual({ stripe: -1500, fees: 1500 });
    },
  );

  it("holds as much as a dispute takes whose amount changes as it is lost", () => {
    const lost = refundOf({ id: "du_1", kind: "dispute", cents: 5022, isEffective: false });
    const open = { disputes: [dispute("needs_response")], refunds: [lost] };
    const held = live(live(begin(), {}, NOW), open, NOW);
    const card = {
      disputes: [{ ...dispute("lost"), cents: 2511 }],
      refunds: [{ ...lost, cents: 2511, isEffective: true }],
    };
    const { disputes_held: left = 0, stripe } = balances(live(held, card, NOW).lines);
    expect([left, stripe]).toEqual([0, 5022 - 2511 - 1500]);
  });
});

/** How many lives: as many as asked by `LIVES=100 npm run test:unit -- journal`. */
const LIVES = Number(process.env["LIVES"] ?? countOf({ whole: 10_000, usual: 100 }));
const LIFE_LIMIT_MS = 60;
const LIMIT_MS = Math.max(120_000, LIVES * LIFE_LIMIT_MS);

/** Refunds that come, fail and are goodwill after all, disputes in any state, fees that change, while time goes by or back. */
const histories = fc.array(
  fc.record({
    hours: fc.integer({ min: -5, max: 60 }),
    refund: fc.integer({ min: 0, max: 2 }),
    cents: fc.integer({ min: 1, max: 5022 }),
    isEffective: fc.boolean(),
    isGoodwill: fc.boolean(),
    feeCents: fc.integer({ min: 0, max: 300 }),
    disputeStatus: fc.constantFrom("none", "needs_response", "under_review", "won", "lost", "other"),
  }),
  { maxLength: 8 },
);

/** Stripe's balance, as its own transactions would have it. */
function stripeBalance({ payment, disputes }: Ledgers, refunds: readonly Refund[]): number {
  const refunded = refunds
    .filter(({ kind, isEffective }) => kind === "refund" && isEffective)
    .reduce((sum, { cents }) => sum + cents, 0);
  const withdrawn = disputes
    .filter(({ status }) => status !== "won")
    .reduce((sum, { cents }) => sum + cents, 0);
  const fees = disputes.reduce((sum, { feeCents }) => sum + feeCents, payment.processorFeeCents ?? 0);
  return payment.totalCents - refunded - withdrawn - fees;
}

it(
  "balances after every act, and agrees with Stripe and the ledger of days, over many lives",
  () => {
    fc.assert(
      fc.property(histories, fc.constantFrom(null, 70_000, 160_000), (steps, tax) => {
        let life = begin(tax);
        let now = NOW;
        const refunds = new Map<number, Refund>();
        let disputes: DisputeRow[] = [];
        for (const { hours, refund, cents, isEffective, isGoodwill, feeCents, disputeStatus } of steps) {
          now = Math.max(NOW, now + hours * HOUR_MS);
          const made = refunds.get(refund) ?? refundOf({ id: `re_${refund}`, cents, at: now });
          refunds.set(refund, { ...made, isEffective, isGoodwill });
          if (disputeStatus !== "none") disputes = [dispute(disputeStatus)];
          const back = disputes.map(({ id, status }) =>
            refundOf({
              id,
              kind: "dispute",
              cents: 5022,
              at: NOW,
              isEffective: status === "lost" || status === "other",
            }),
          );
          const card = { refunds: [...refunds.values(), ...back], disputes, processorFeeCents: feeCents };
          life = live(life, card, now);
          const units = Map.groupBy(life.lines, ({ entry, unit }) => `${entry} ${unit}`);
          for (const [, lines] of units) expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
          const keys = life.lines.map(({ entry, account, unit }) => `${entry} ${account} ${unit}`);
          expect(new Set(keys).size).toBe(keys.length);
          const held = balances(life.lines);
          expect(held["stripe"] ?? 0).toBe(stripeBalance(life.ledgers, card.refunds));
          const isOpen = disputes.some(
            ({ status }) => status === "needs_response" || status === "under_review",
          );
          expect(held["disputes_held"] ?? 0).toBe(isOpen ? 5022 : 0);
          const { appliedMs } = readServiceLedger(life.ledgers.service);
          const keptMs = [...appliedMs.values()].reduce((sum, ms) => sum + ms, 0);
          const netCents = 5022 - Math.round((5022 * (tax ?? 0)) / (1_000_000 + (tax ?? 0)));
          const owedCents = -(held["service_owed"] ?? 0);
          // Each refund rounds what it takes to a cent.
          expect(Math.abs(owedCents - (netCents * keptMs) / (7 * DAY_MS))).toBeLessThanOrEqual(4);
        }
      }),
      draws({ whole: LIVES, usual: LIVES, few: LIVES }),
    );
  },
  LIMIT_MS,
);

it(
  "earns what was used each day, and owes the worth of what is unused, over many lives",
  () => {
    fc.assert(
      fc.property(histories, fc.constantFrom(null, 70_000, 160_000), (steps, tax) => {
        let life = begin(tax);
        let now = NOW;
        let day = 0;
        const refunds = new Map<number, Refund>();
        const close = () => {
          const { payment, service } = life.ledgers;
          const unused = readServiceLedger(service, now).unusedMs.get("payment:p") ?? 0;
          const owedCents = balances(life.lines)["service_owed"] ?? 0;
          const lines = earnedLines({ payment, unit: "USD", owedCents }, unused, (day += 1));
          expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0);
          life = { ...life, lines: [...life.lines, ...lines] };
          expect(0 - (balances(life.lines)["service_owed"] ?? 0)).toBe(worthOf(payment, unused));
          // Closed a second time, nothing is left to book.
          const again = { payment, unit: "USD", owedCents: balances(life.lines)["service_owed"] ?? 0 };
          expect(earnedLines(again, unused, day)).toEqual([]);
        };
        for (const { hours, refund, cents, isEffective, isGoodwill } of steps) {
          // A clock may jump back.
          now = Math.max(NOW, now + hours * HOUR_MS);
          const made = refunds.get(refund) ?? refundOf({ id: `re_${refund}`, cents, at: now });
          refunds.set(refund, { ...made, isEffective, isGoodwill });
          life = live(life, { refunds: [...refunds.values()] }, now);
          close();
        }
        now = Math.max(now, NOW + 400 * DAY_MS);
        close();
        expect(balances(life.lines)["service_owed"] ?? 0).toBe(0);
      }),
      draws({ whole: LIVES, usual: LIVES, few: LIVES }),
    );
  },
  LIMIT_MS,
);
