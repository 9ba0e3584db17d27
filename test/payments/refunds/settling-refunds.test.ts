import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../db/shapes/units.ts";
import type { DisputeRow } from "../../../db/queries/payments/payments.ts";
import type { CardPayment } from "../../../worker/payments/card-payment.ts";
import { NOW, openPayment, paidCard, refundOf, settle, type Ledgers } from "../ledgers.ts";
import { lacks, start, withRow } from "../settling-harness.ts";

const { totalCents } = start.payment;

describe("money that goes back", () => {
  const paid = settle(start, paidCard(start));
  const lost = refundOf({ id: "du_1", kind: "dispute", cents: totalCents });
  const statusOf = (card: Partial<CardPayment>) => {
    const { status, refundedCents } = lacks(paid, card) ?? {};
    return [status, refundedCents];
  };

  it("says how much of the payment is left", () => {
    expect(statusOf({ refunds: [refundOf({ cents: 1 })] })).toEqual(["partly_refunded", 1]);
    expect(statusOf({ refunds: [refundOf({ cents: totalCents - 1 })] })).toEqual([
      "partly_refunded",
      totalCents - 1,
    ]);
    const halves = [refundOf({ cents: totalCents - 1 }), refundOf({ id: "re_2", cents: 1 })];
    expect(statusOf({ refunds: halves })).toEqual(["refunded", totalCents]);
    expect(statusOf({ refunds: [refundOf({ cents: totalCents + 9 })] })).toEqual(["refunded", totalCents]);
    expect(statusOf({ refunds: [lost] })).toEqual(["dispute_lost", 0]);
    expect(
      statusOf({ refunds: [lost, refundOf({ cents: 5 })], openDispute: { id: "du_2", cents: 1 } }),
    ).toEqual(["dispute_lost", 5]);
    expect(statusOf({ openDispute: { id: "du_2", cents: 1 } })).toEqual(["disputed", 0]);
  });

  it("is stored as it comes, and again where it came out otherwise", () => {
    const refund = refundOf({ cents: 5 });
    const row = { ...refund, tookAt: refund.at };
    expect(lacks(paid, { refunds: [refund] })?.refunds).toEqual([row]);
    const known = settle(paid, paidCard(paid, { refunds: [refund] }));
    expect(lacks(known, { refunds: [refund] })).toBeNull();
    const failed = { ...refund, isEffective: false };
    expect(lacks(known, { refunds: [failed, refundOf({ id: "re_2", cents: 1 })] })?.refunds).toEqual([
      { ...row, isEffective: false, tookAt: null },
      { ...row, id: "re_2", cents: 1 },
    ]);
  });

  it("goes with a dispute when that is lost, not when it was opened", () => {
    const learned = NOW + DAY_MS;
    expect(lacks(paid, { refunds: [lost] }, learned)?.refunds).toEqual([{ ...lost, tookAt: learned }]);
  });

  it("takes a payment out of its raffle when nothing is left, and puts it back", () => {
    const whole = refundOf({ cents: totalCents });
    expect(lacks(paid, { refunds: [whole] })?.raffle).toEqual({ kind: "leave" });
    expect(lacks(paid, { refunds: [lost] })?.raffle).toEqual({ kind: "leave" });
    expect(lacks(paid, { refunds: [refundOf({ cents: 1 })] })?.raffle).toBeNull();
    const refunded = settle(paid, paidCard(paid, { refunds: [whole] }));
    const failed = { refunds: [{ ...whole, isEffective: false }], paidAt: null };
    expect(lacks(refunded, failed, NOW + 9)?.raffle).toEqual({ kind: "enter", paidAt: NOW });
    expect(lacks(start, { refunds: [whole] })?.raffle).toBeNull();
  });

  it("notifies where it is disputed and where the dispute is won", () => {
    const openDispute = { id: "du_1", cents: 77 };
    const told = (kind: string) => [
      { source: `payment:p:du_1:${kind}`, kind, money: { cents: 77, currency: "USD" }, changedMs: 0 },
    ];
    const atStake = refundOf({ id: "du_1", kind: "dispute", cents: 77, isEffective: false });
    const opened = { kind: "dispute", isEffective: false, at: NOW - DAY_MS } as const;
    const earlier = refundOf({ ...opened, id: "du_0", cents: 1 });
    const card = { openDispute, refunds: [earlier, atStake] };
    expect(lacks(paid, card)?.serviceChanges).toEqual(told("dispute_opened"));
    expect(lacks(paid, { openDispute })?.serviceChanges).toEqual(told("dispute_opened"));
    const disputed = settle(paid, paidCard(paid, card));
    expect(lacks(disputed, { ...card, receiptUrl: "x" })?.serviceChanges).toEqual([]);
    const failed = refundOf({ id: "re_9", cents: 3, isEffective: false });
    expect(lacks(disputed, { refunds: [earlier, atStake, failed] })?.serviceChanges).toEqual(
      told("dispute_won"),
    );
    // Stripe lists the newest first.
    expect(lacks(disputed, { refunds: [failed, atStake, earlier] })?.serviceChanges).toEqual(
      told("dispute_won"),
    );
    expect(lacks(disputed, { refunds: [] })?.serviceChanges).toEqual([]);
    const decided = lacks(disputed, { refunds: [{ ...atStake, isEffective: true }] });
    expect(decided?.serviceChanges.map(({ kind }) => kind)).toEqual(["disputed"]);
    const unpaid = lacks(withRow({ status: "disputed" }), { refunds: [atStake] });
    expect(unpaid?.serviceChanges.map(({ kind }) => kind)).toEqual(["paid", "dispute_won"]);
  });
});

describe("disputes of one payment", () => {
  const paid = settle(start, paidCard(start));
  const disputeOf = (id: string, cents: number, status: DisputeRow["status"] = "needs_response") => ({
    row: { id, status, reason: "fraudulent", cents, feeCents: 1_500, dueAt: null, at: NOW },
    refund: refundOf({ id, kind: "dispute", cents, isEffective: false }),
  });
  const cardOf = (...disputes: ReturnType<typeof disputeOf>[]): Partial<CardPayment> => {
    const open = disputes.find(({ row }) => row.status === "needs_response")?.row;
    return {
      openDispute: open ? { id: open.id, cents: open.cents } : null,
      disputes: disputes.map(({ row }) => row),
      refunds: disputes.flatMap(({ row, refund }) => (row.status.startsWith("warning_") ? [] : [refund])),
    };
  };
  const told = (ledgers: Ledgers, card: Partial<CardPayment>) =>
    lacks(ledgers, card)?.serviceChanges.map(({ source, kind, money }) => [source, kind, money?.cents]);
  const [one, two] = [disputeOf("du_1", 77), disputeOf("du_2", 1_000)];
  const openedTwo = ["payment:p:du_2:dispute_opened", "dispute_opened", 1_000];

  it("are each told as they open, also while another is open, and once", () => {
    const disputed = settle(paid, paidCard(paid, cardOf(one)));
    // Stripe lists the newest first.
    const both = cardOf(two, one);
    expect(told(disputed, both)).toEqual([openedTwo]);
    expect(lacks(settle(disputed, paidCard(paid, both)), both)).toBeNull();
    expect(told(paid, both)).toEqual([openedTwo, ["payment:p:du_1:dispute_opened", "dispute_opened", 77]]);
  });

  it("are told once an inquiry becomes one while another is open", () => {
    const inquiry = disputeOf("du_2", 1_000, "warning_needs_response");
    const disputed = settle(paid, paidCard(paid, cardOf(inquiry, one)));
    expect(disputed.serviceChanges.map(({ source }) => source)).not.toContain(openedTwo[0]);
    expect(told(disputed, cardOf(two, one))).toEqual([openedTwo]);
  });

  it("have the amount that is at stake now", () => {
    const disputed = settle(paid, paidCard(paid, cardOf(one)));
    const higher = cardOf(disputeOf("du_1", 99));
    expect(lacks(disputed, higher)).toMatchObject({
      refunds: [{ id: "du_1", cents: 99 }],
      serviceChanges: [],
    });
    expect(lacks(settle(disputed, paidCard(paid, higher)), higher)).toBeNull();
  });
});

describe("a refund", () => {
  const paid = settle(openPayment({ points: 100 }), paidCard(openPayment({ points: 100 })));
  const { totalCents: charged, points: spent } = paid.payment;
  const earned = paid.points.get("payment:p:earned") ?? 0;
  const half = Math.floor(charged / 2);
  const share = (whole: number, cents: number) => Math.floor((whole * cents) / charged);

  it("is its share of days and of points, in the order in which they came", () => {
    const refunds = [
      refundOf({ id: "re_b", cents: charged - half, at: NOW + 2 }),
      refundOf({ id: "re_c", cents: 10, at: NOW + 1 }),
      refundOf({ id: "re_a", cents: half - 10, at: NOW + 1 }),
    ];
    const change = lacks(paid, { refunds });
    expect(lacks(paid, { refunds: refunds.toReversed() })?.credits).toEqual(change?.credits);
    const week = 7 * DAY_MS;
    const at = [half - 10, half, charged];
    const taken = at.map(
      (cents, index) => share(week, cents) - (index === 0 ? 0 : share(week, at[index - 1] ?? 0)),
    );
    const due = (cents: number) => share(spent - earned, cents);
    const back = at.map((cents, index) => due(cents) - (index === 0 ? 0 : due(at[index - 1] ?? 0)));
    const sources = ["re_a", "re_c", "re_b"].map((id) => `payment:p:${id}`);
    expect(change?.credits).toEqual(
      sources.map((source, index) => ({ source, durationMs: -(taken[index] ?? 0) })),
    );
    expect(change?.points).toEqual(
      sources.flatMap((source, index) => (back[index] === 0 ? [] : [{ source, points: back[index] }])),
    );
    expect(change?.serviceChanges.map(({ source, kind }) => [source, kind])).toEqual(
      sources.map((source) => [source, "refunded"]),
    );
  });

  it("is nothing where it failed at once", () => {
    const failed = refundOf({ cents: half, isEffective: false });
    expect(lacks(paid, { refunds: [failed] })).toMatchObject({ credits: [], points: [], serviceChanges: [] });
  });

  it("comes back once, under the name of what it undoes", () => {
    const refund = refundOf({ cents: charged });
    const refunded = settle(paid, paidCard(paid, { refunds: [refund] }));
    const undone = { refunds: [{ ...refund, isEffective: false }] };
    const source = "payment:p:re_1:undone";
    expect(lacks(refunded, undone)).toMatchObject({
      status: "settled",
      credits: [{ source, durationMs: 7 * DAY_MS }],
      points: [{ source, points: earned - spent }],
      serviceChanges: [{ source, kind: "refund_failed", changedMs: 7 * DAY_MS }],
    });
    const restored = settle(refunded, paidCard(refunded, undone));
    expect(lacks(restored, undone)).toBeNull();
    expect(lacks(restored, { refunds: [{ ...refund, isEffective: false, isGoodwill: true }] })).toBeNull();
    // Another one takes everything again.
    const next = {
      refunds: [{ ...refund, isEffective: false }, refundOf({ id: "re_2", cents: charged, at: NOW + 1 })],
    };
    expect(lacks(restored, next)).toMatchObject({
      credits: [{ source: "payment:p:re_2", durationMs: -7 * DAY_MS }],
      points: [{ source: "payment:p:re_2", points: spent - earned }],
    });
  });

  it("comes back where it becomes goodwill, if it had taken anything", () => {
    const refund = refundOf({ cents: charged });
    const refunded = settle(paid, paidCard(paid, { refunds: [refund] }));
    const kept = lacks(refunded, { refunds: [{ ...refund, isGoodwill: true }] });
    expect(kept?.serviceChanges.map(({ kind }) => kind)).toEqual(["days_kept"]);
    const goodwill = { refunds: [{ ...refund, isGoodwill: true }] };
    const given = settle(paid, paidCard(paid, goodwill));
    expect(given.service.at(-1)).toMatchObject({ source: "payment:p:re_1", durationMs: 0 });
    expect(lacks(given, goodwill)).toBeNull();
    const later = refundOf({ id: "re_2", cents: 10, at: NOW + 1 });
    expect(lacks(given, { refunds: [...goodwill.refunds, later] })?.credits).toEqual([
      { source: "payment:p:re_2", durationMs: -share(7 * DAY_MS, 10) },
    ]);
  });

  it("comes back as goodwill even if it took only points, or only days", () => {
    const after = NOW + 8 * DAY_MS;
    const whole = { ...refundOf({ cents: charged }), at: after };
    expect(lacks(paid, { refunds: [whole] }, after)?.credits).toEqual([
      { source: "payment:p:re_1", durationMs: 0 },
    ]);
    const onlyPoints = settle(paid, paidCard(paid, { refunds: [whole] }), after);
    expect(lacks(onlyPoints, { refunds: [{ ...whole, isGoodwill: true }] }, after)).toMatchObject({
      credits: [{ source: "payment:p:re_1:undone", durationMs: 0 }],
      points: [{ source: "payment:p:re_1:undone", points: earned - spent }],
    });
    const cents = refundOf({ cents: 1 });
    const onlyDays = settle(paid, paidCard(paid, { refunds: [cents] }));
    expect(lacks(onlyDays, { refunds: [{ ...cents, isGoodwill: true }] })).toMatchObject({
      credits: [{ source: "payment:p:re_1:undone", durationMs: share(7 * DAY_MS, 1) }],
      points: [],
    });
  });

  it("is named a dispute where it is one", () => {
    const lost = refundOf({ id: "du_1", kind: "dispute", cents: charged });
    const kinds = (change: ReturnType<typeof lacks>) => change?.serviceChanges.map(({ kind }) => kind);
    expect(kinds(lacks(paid, { refunds: [lost] }))).toEqual(["disputed"]);
    const after = settle(paid, paidCard(paid, { refunds: [lost] }));
    expect(kinds(lacks(after, { refunds: [{ ...lost, isEffective: false }] }))).toEqual(["dispute_won"]);
  });
});
