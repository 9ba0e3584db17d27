import { describe, expect, it } from "vitest";
import { serviceUntilOf } from "../../../db/queries/payments/service-time.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { NOW, openPayment, ownService, paidCard, refundOf, settle, sum, type Ledgers } from "../ledgers.ts";

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

  it("notifies when it is opened and when it is won", () => {
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
