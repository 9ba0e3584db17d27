import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../db/shapes/units.ts";
import { abandonPayment, settleWithoutCard } from "../../worker/payments/settlement.ts";
import type { CardPayment } from "../../worker/payments/card-payment.ts";
import { NOW, openPayment, paidCard, settle, type Ledgers } from "./ledgers.ts";
import { lacks, start, withRow } from "./settling-harness.ts";

const { totalCents } = start.payment;
const visa = { method: "card", methodBrand: "visa", methodLast4: "4242", methodId: "pm_1" };
const card = { ...visa, methodFingerprint: "print_1" };

const nothing = {
  status: "open",
  intentId: "pi",
  settledAt: null,
  processingAt: null,
  refundedCents: 0,
  receiptUrl: null,
  method: null,
  methodBrand: null,
  methodLast4: null,
  methodId: null,
  methodFingerprint: null,
  processorFeeCents: null,
  credits: [],
  points: [],
  raffle: null,
  invitation: null,
  refunds: [],
  disputes: [],
  reports: [],
  confirmsCard: false,
  pausesRenewal: false,
  journal: expect.any(Array) as unknown[],
  serviceChanges: [],
  consent: null,
};
const money = { cents: totalCents, currency: "USD" };
const granted = {
  credits: [{ source: "payment:p", durationMs: 7 * DAY_MS }],
  points: [{ source: "payment:p:earned", points: 70 }],
  serviceChanges: [{ source: "payment:p:settled", kind: "paid", money, changedMs: 7 * DAY_MS }],
};

describe("a payment that the card processor has", () => {
  it("charged gives days and points, and enters the raffle", () => {
    const receiptUrl = "https://stripe.example/r";
    expect(lacks(start, { intentId: "pi_2", receiptUrl, paidAt: NOW - 5 }, NOW + 1)).toEqual({
      ...nothing,
      ...granted,
      ...card,
      confirmsCard: true,
      status: "settled",
      intentId: "pi_2",
      receiptUrl,
      settledAt: NOW + 1,
      raffle: { kind: "enter", paidAt: NOW - 5 },
      invitation: { kind: "grant", rewardMs: 7 * DAY_MS, shares: [] },
    });
  });

  it("charged without saying with what, or when, keeps what was known", () => {
    const known = withRow({ ...visa, receiptUrl: "https://stripe.example/old" });
    const paid = { method: null, methodId: null, receiptUrl: null, paidAt: null };
    expect(lacks(known, paid, NOW + 1)).toMatchObject({
      ...visa,
      receiptUrl: "https://stripe.example/old",
      raffle: { kind: "enter", paidAt: NOW + 1 },
    });
  });

  it("on its way is processing since then, and goes on where it is open again", () => {
    expect(lacks(start, { status: "processing", paidAt: NOW - 5 })).toEqual({
      ...nothing,
      status: "processing",
      processingAt: NOW - 5,
    });
    expect(lacks(start, { status: "processing", paidAt: null })).toMatchObject({ processingAt: NOW });
    const processing = withRow({ status: "processing", processingAt: NOW - 5 });
    expect(lacks(processing, { status: "processing" })).toBeNull();
    expect(lacks(processing, { status: "open", paidAt: NOW - 5 })).toEqual(nothing);
    expect(lacks(start, { status: "open" })).toBeNull();
  });

  it("canceled is abandoned once, and one that was settled stays so", () => {
    expect(lacks(start, { status: "canceled" })).toEqual({ ...nothing, status: "abandoned" });
    expect(lacks(withRow({ status: "abandoned" }), { status: "canceled" })).toBeNull();
    expect(lacks(withRow({ status: "abandoned" }), { status: "processing" })).toBeNull();
    const paid = settle(start, paidCard(start));
    for (const status of ["open", "processing", "canceled"] as const)
      expect(lacks(paid, { status })).toBeNull();
  });

  it("charged as we know it lacks nothing", () => {
    const paid = settle(start, paidCard(start));
    expect(lacks(paid, {})).toBeNull();
    expect(lacks(paid, { receiptUrl: "https://stripe.example/r" })).toMatchObject({
      receiptUrl: "https://stripe.example/r",
      credits: [],
      consent: null,
      raffle: null,
    });
  });
});

describe("the console's view of a payment", () => {
  const dispute = {
    id: "du_1",
    status: "needs_response",
    reason: "fraudulent",
    cents: 5022,
    feeCents: 1500,
    dueAt: NOW + DAY_MS,
    at: NOW,
  } as const;

  it("is Stripe's fee once it is booked, and what was known before stays", () => {
    const paid = settle(start, paidCard(start));
    expect(lacks(paid, { processorFeeCents: 176 })).toEqual({
      ...lacks(paid, { receiptUrl: "r" }),
      journal: expect.any(Array) as unknown[],
      receiptUrl: null,
      processorFeeCents: 176,
    });
    const booked = settle(paid, paidCard(start, { processorFeeCents: 176 }));
    expect(lacks(booked, { processorFeeCents: null })).toBeNull();
  });

  it("is each dispute with its deadline, written again where it stands otherwise, and an inquiry takes nothing", () => {
    const paid = settle(start, paidCard(start));
    const disputed = settle(paid, paidCard(start, { disputes: [dispute] }));
    expect(disputed.disputes).toEqual([dispute]);
    expect(lacks(disputed, { disputes: [dispute] })).toBeNull();
    const answered = { ...dispute, status: "under_review" as const, dueAt: null };
    expect(lacks(disputed, { disputes: [answered] })).toMatchObject({ disputes: [answered], credits: [] });
    const others = [
      { id: "du_3" },
      { status: "won" as const },
      { cents: 1 },
      { feeCents: 0 },
      { dueAt: NOW },
    ].map((other) => ({ ...dispute, ...other }));
    for (const other of others)
      expect(lacks(disputed, { disputes: [other] })).toMatchObject({ disputes: [other] });
    const inquiry = { ...dispute, id: "du_2", status: "warning_needs_response" as const };
    expect(lacks(paid, { disputes: [inquiry] })).toMatchObject({ status: "settled", disputes: [inquiry] });
  });
});

describe("points of a payment", () => {
  const spent = openPayment({ points: 100 });

  it("come back where it is abandoned, once", () => {
    const released = [{ source: "payment:p:released", points: 100 }];
    expect(abandonPayment(spent.payment, spent).points).toEqual(released);
    const points = new Map([...spent.points, ["payment:p:released", 100] as const]);
    expect(abandonPayment(spent.payment, { ...spent, points }).points).toEqual([]);
    expect(abandonPayment(start.payment, start).points).toEqual([]);
  });

  it("are taken after all where it is paid after it was abandoned, once", () => {
    const abandoned = settle(spent, paidCard(spent, { status: "canceled" }));
    const retaken = { source: "payment:p:retaken", points: -100 };
    const paid = lacks(abandoned, {});
    expect(paid?.points).toContainEqual(retaken);
    expect(lacks(spent, {})?.points).not.toContainEqual(retaken);
    const again = settle(abandoned, paidCard(abandoned));
    expect(lacks(again, {})).toBeNull();
  });

  it("keep a payment out of the raffle, as a discount does", () => {
    expect(lacks(spent, {})?.raffle).toBeNull();
    expect(lacks(withRow({ discountCents: 1 }), {})?.raffle).toBeNull();
  });

  it("that pay for all of it settle it without a card", () => {
    const free = openPayment({ points: 700 });
    expect(settleWithoutCard(free.payment, NOW + 1)).toEqual({
      ...nothing,
      status: "settled",
      settledAt: NOW + 1,
      method: "points",
      credits: granted.credits,
      serviceChanges: [
        {
          source: "payment:p:settled",
          kind: "paid",
          money: { cents: 0, currency: "USD" },
          changedMs: 7 * DAY_MS,
        },
      ],
    });
  });
});

describe("a consent to renew", () => {
  const words = 2;
  const agreed = withRow({ renewalCapCents: 6000, renewalWords: words });
  const consentOf = (ledgers: Ledgers, card: Partial<CardPayment> = {}) => lacks(ledgers, card)?.consent;

  it("comes with the first settlement, for the card that paid", () => {
    expect(consentOf(agreed)).toEqual({ ...card, capCents: 6000, words });
    expect(consentOf(settle(agreed, paidCard(agreed)), { receiptUrl: "x" })).toBeNull();
  });

  it("is none where nobody gave it, the account is gone, or no card was kept", () => {
    expect(consentOf(start)).toBeNull();
    const free = withRow({ renewalCapCents: 0, renewalWords: words });
    expect(consentOf(free)).toEqual({ ...card, capCents: 0, words });
    expect(consentOf(withRow({ renewalCapCents: 6000, renewalWords: words, orphanedAt: NOW }))).toBeNull();
    expect(consentOf(agreed, { method: null })).toBeNull();
    expect(consentOf(agreed, { methodId: null })).toBeNull();
  });
});
