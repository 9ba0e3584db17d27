import * as fc from "fast-check";
import { expect } from "vitest";
import { hasRecord } from "../../db/queries/accounts/has-record.ts";
import { pointEffects, serviceEffects } from "../../db/queries/operators/effects.ts";
import { noteNotice, noticeSource } from "../../db/queries/payments/renewal-notices.ts";
import { loadRenewal } from "../../db/queries/payments/renewals.ts";
import { redeemService, redeemTrial } from "../../db/queries/rewards/rewards.ts";
import { switchOnWithTrial } from "../../db/queries/rewards/trial.ts";
import type { DisputeRow } from "../../db/queries/payments/payments.ts";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { driverId as driverIdShape } from "../../db/shapes/units.ts";
import { closeYesterday } from "../../worker/payments/books/reconcile-books.ts";
import type { CardCheckoutContext } from "../../worker/payments/checkout.ts";
import { prepareIntent } from "../../worker/payments/prepare.ts";
import { priceForDriver } from "../../worker/payments/prices/quote.ts";
import type { Refund } from "../../worker/payments/refunds.ts";
import { turnRenewal } from "../../worker/payments/renewals/renewal-state.ts";
import { runDueRenewals } from "../../worker/payments/renewals/renewals.ts";
import { settleIntent } from "../../worker/payments/settle-intent.ts";
import { loadLastPaymentId } from "../../db/queries/payments/payments.ts";
import { DAY_MS, HOUR_MS, openCheckout } from "./checkout-harness.ts";

/** An inviter, and the friend who came by their link. */
const DRIVERS = [1, 2].map((count) => driverIdShape.parse(`6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a0${count}`));
const LATER = driverIdShape.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a09");
const LATER_NUMBER = "+15550190909";

const who = fc.nat(DRIVERS.length - 1);
const payment = fc.nat(4);

/** One thing that somebody does, or that happens to money. */
export const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("buy" as const),
      who,
      points: fc.constantFrom(0, 200),
      renews: fc.boolean(),
      fee: fc.nat(300),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("refund" as const),
      payment,
      share: fc.constantFrom(0.1, 0.5, 1),
      isGoodwill: fc.boolean(),
    }),
  },
  fc.record({ kind: fc.constant("refund_fails" as const), payment }),
  fc.record({ kind: fc.constant("kept_after_all" as const), payment }),
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("dispute" as const),
      payment,
      status: fc.constantFrom("needs_response", "under_review", "won", "lost"),
    }),
  },
  fc.record({ kind: fc.constant("warning" as const), payment }),
  fc.record({ kind: fc.constant("redeem" as const), who }),
  fc.record({ kind: fc.constant("trial" as const), who }),
  fc.record({ kind: fc.constant("gift" as const), who, days: fc.integer({ min: -3, max: 5 }) }),
  fc.record({ kind: fc.constant("points" as const), who, points: fc.integer({ min: 1, max: 600 }) }),
  fc.record({ kind: fc.constant("turn_on" as const), who }),
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: 0, max: 80 }) }),
  },
  fc.record({ kind: fc.constant("clock_jumps_back" as const), hours: fc.integer({ min: 1, max: 30 }) }),
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("renewal_time" as const), who, isConfirmed: fc.boolean() }),
  },
);
export type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

/** The refunds and disputes of a payment, as the bank has them. */
type Money = { refunds: Refund[]; disputes: DisputeRow[] };

/** Two drivers, the bank and the clock, over the product's own functions and one database. */
export class MoneyLife {
  readonly at = openCheckout();
  readonly #checkout: CardCheckoutContext;
  readonly #money = new Map<string, Money>();
  /** When each card was last reported, while its owner has not paid with it since; for good where it was fraud. */
  readonly #reported = new Map<string, { at: number; isFinal: boolean }>();
  #count = 0;
  #lastCharge = 0;
  charges = 0;

  constructor() {
    const { at } = this;
    for (const id of DRIVERS) at.addDriver(id);
    at.run(
      `INSERT INTO invitations (id, inviter_id, friend_id, has_trial, revocations, created_at) VALUES ('i', ?, ?, 0, 0, 1)`,
      DRIVERS[0] ?? "",
      DRIVERS[1] ?? "",
    );
    const { processor } = at.bank;
    at.bank.cards = DRIVERS.map((_id, index) => {
      const card = { type: "card", brand: "visa", last4: "4242", expMonth: 12, expYear: 2030 };
      return { ...card, id: `pm_${index}`, mayBeShown: false };
    });
    const confirmWithoutDriver: typeof processor.confirmWithoutDriver = async (intentId, methodId, key) => {
      this.#judgeCharge(intentId, methodId);
      await processor.confirmWithoutDriver(intentId, methodId, key);
      at.bank.change(intentId, { methodId, fingerprint: `print of ${methodId}` });
    };
    this.#checkout = { ...at.checkout, cards: { ...processor, confirmWithoutDriver } };
  }

  get now(): number {
    return this.at.clock.now;
  }

  async run(one: Act): Promise<void> {
    const { at } = this;
    const db = this.#checkout.db;
    this.#count += 1;
    const id = `${this.#count}`;
    switch (one.kind) {
      case "buy":
        return this.#buy(one);
      case "refund": {
        const paid = this.#paid(one.payment);
        if (!paid) return;
        const cents = Math.max(1, Math.floor(paid.cents * one.share));
        paid.money.refunds.push({
          id: `re_${id}`,
          kind: "refund",
          cents,
          at: this.now,
          isEffective: true,
          isGoodwill: one.isGoodwill,
        });
        return this.#settle(paid.intentId);
      }
      case "refund_fails":
      case "kept_after_all": {
        const paid = this.#paid(one.payment);
        const refund = paid?.money.refunds.findLast((known) => known.kind === "refund");
        if (!paid || !refund) return;
        if (one.kind === "refund_fails") refund.isEffective = false;
        else refund.isGoodwill = true;
        return this.#settle(paid.intentId);
      }
      case "dispute":
        return this.#dispute(one);
      case "warning": {
        const paid = this.#paid(one.payment);
        if (!paid) return;
        const { reports } = this.#intent(paid.intentId);
        const warning = { id: `issfr_${id}`, kind: "warning" as const, at: this.now, isFinal: false };
        at.bank.change(paid.intentId, { reports: [...reports, warning] });
        await this.#settle(paid.intentId);
        this.#report(paid.intentId, false);
        return;
      }
      case "redeem":
        await redeemService(db, { id, driverId: this.#driver(one.who), now: this.now, plan: "3days" });
        return;
      case "trial":
        await redeemTrial(db, {
          id,
          driverId: this.#driver(one.who),
          now: this.now,
          phoneNumber: LATER_NUMBER,
          invitationId: id,
        });
        if (at.rows(`SELECT 1 FROM users WHERE id = ?`, LATER).length === 0)
          at.addDriver(LATER, { change: { phoneNumber: LATER_NUMBER, trialPending: true } });
        await switchOnWithTrial(db, LATER, this.now);
        return;
      case "gift":
      case "points": {
        const driverId = this.#driver(one.who);
        const effect = { driverId, now: this.now, where: hasRecord(driverId) };
        const source = `operator:${id}`;
        const [first, ...rest] =
          one.kind === "gift"
            ? serviceEffects(db, effect, { source, durationMs: one.days * DAY_MS })
            : pointEffects(db, effect, { source, points: one.points });
        if (first) await db.batch([first, ...rest]);
        return;
      }
      case "turn_on": {
        const consent = { on: true, plan: "7days", capCents: 5022, words: RENEWAL_WORDS } as const;
        await turnRenewal(this.#checkout, await at.driver(this.#driver(one.who)), consent);
        return;
      }
      case "wait":
        at.clock.now += one.hours * HOUR_MS;
        await runDueRenewals(this.#checkout);
        return closeYesterday(this.#checkout);
      case "clock_jumps_back":
        at.clock.now -= one.hours * HOUR_MS;
        return runDueRenewals(this.#checkout);
      case "renewal_time":
        return this.#comeToRenewal(one);
    }
  }

  /** Stripe's balance of all payments by its own transactions, and what it holds. */
  get stripe(): { balance: number; held: number } {
    let [balance, held] = [0, 0];
    for (const intent of this.at.bank.intents.values()) {
      if (intent.status !== "succeeded") continue;
      const { refunds, disputes } = this.#moneyOf(intent.intentId);
      balance += intent.cents - (intent.processorFeeCents ?? 0);
      for (const { kind, cents, isEffective } of refunds)
        if (kind === "refund" && isEffective) balance -= cents;
      for (const { status, cents, feeCents } of disputes) {
        if (status !== "won") balance -= cents;
        if (status === "needs_response" || status === "under_review") held += cents;
        balance -= feeCents;
      }
    }
    return { balance, held };
  }

  /** No charge without its owner from the second of a report on, and none without a confirmed notice. */
  #judgeCharge(intentId: string, methodId: string): void {
    this.charges += 1;
    this.#lastCharge = this.now;
    expect(this.#reported.get(methodId)).toBeUndefined();
    const [row] = this.at.rows(
      `SELECT r.notice_confirmed_at AS confirmedAt, min(n.at) AS shownAt, p.total_cents <= r.noticed_cents AS isWithin
        FROM payments p JOIN renewals r ON r.driver_id = p.driver_id
        LEFT JOIN renewal_notices n ON n.source = 'renewal:' || r.consent_id || ':' || r.noticed_end || ':ahead:' || r.noticed_cents
        WHERE p.intent_id = ?`,
      intentId,
    );
    expect(row?.["shownAt"]).not.toBeNull();
    expect(Number(row?.["shownAt"])).toBeLessThanOrEqual(this.#lastCharge - 12 * HOUR_MS);
    expect(row?.["isWithin"]).toBe(1);
  }

  async #buy({ who: index, points, renews, fee }: Extract<Act, { kind: "buy" }>): Promise<void> {
    const { at } = this;
    const driverId = this.#driver(index);
    const driver = await at.driver(driverId);
    const { order } = await priceForDriver(this.#checkout, driver, { plan: "7days", points, priceId: null });
    const prepared = await prepareIntent(this.#checkout, {
      driver,
      order,
      knownPaymentId: await loadLastPaymentId(this.#checkout.db, driverId),
      renewal: renews ? { capCents: 5022, words: RENEWAL_WORDS } : null,
      savesCard: false,
    });
    if (prepared.kind !== "ready") return;
    const { intentId, createdAt } = prepared.payment;
    if (intentId === null) return;
    const methodId = `pm_${index}`;
    const card = { methodId, fingerprint: `print of ${methodId}`, processorFeeCents: fee };
    at.bank.pay(intentId, card);
    await this.#settle(intentId);
    const known = this.#reported.get(methodId);
    if (known && !known.isFinal && known.at < createdAt) this.#reported.delete(methodId);
  }

  async #dispute({ payment: index, status }: Extract<Act, { kind: "dispute" }>): Promise<void> {
    const paid = this.#paid(index);
    if (!paid) return;
    const [known] = paid.money.disputes;
    // A decided dispute is not opened again; one that was lost may still be won.
    if (known && (known.status === "won" || (known.status === "lost" && status !== "won"))) return;
    const id = `du_${paid.intentId}`;
    const at = known?.at ?? this.now;
    const reason = "fraudulent";
    paid.money.disputes = [
      {
        id,
        status: status as DisputeRow["status"],
        reason,
        cents: paid.cents,
        feeCents: 1500,
        dueAt: null,
        at,
      },
    ];
    const isLost = status === "lost";
    const isOpen = status === "needs_response" || status === "under_review";
    const dispute: Refund = {
      id,
      kind: "dispute",
      cents: paid.cents,
      at,
      isEffective: isLost,
      isGoodwill: false,
    };
    paid.money.refunds = [...paid.money.refunds.filter((one) => one.id !== id), dispute];
    const others = this.#intent(paid.intentId).reports.filter((one) => one.id !== id);
    const isFinal = isLost || others.some((one) => one.isFinal);
    this.at.bank.change(paid.intentId, {
      openDispute: isOpen ? { id, cents: paid.cents } : null,
      reports: [...others, { id, kind: "dispute", at, isFinal }],
    });
    await this.#settle(paid.intentId);
    // A report that is new to us, or final from now on.
    if (!known || isLost) this.#report(paid.intentId, isFinal);
  }

  /** From one step of a driver's renewal to the next, as the minutes of a month would. */
  async #comeToRenewal({ who: index, isConfirmed }: Extract<Act, { kind: "renewal_time" }>): Promise<void> {
    const { at } = this;
    const { db } = this.#checkout;
    const driverId = this.#driver(index);
    for (let step = 0; step < 5; step += 1) {
      const renewal = await loadRenewal(db, driverId);
      if (renewal?.status !== "on" || renewal.dueAt === null) break;
      at.clock.now = Math.max(this.now, renewal.dueAt);
      await runDueRenewals(this.#checkout);
      const {
        noticedEnd: end,
        noticedCents: cents,
        consentId,
      } = (await loadRenewal(db, driverId)) ?? renewal;
      if (!isConfirmed || end === null || cents === null) continue;
      const source = noticeSource({ consentId, end, cents });
      await noteNotice(db, { source, channel: "push", driverId, at: this.now });
    }
    return closeYesterday(this.#checkout);
  }

  #report(intentId: string, isFinal: boolean): void {
    const { methodId } = this.#intent(intentId);
    if (methodId === null) return;
    const known = this.#reported.get(methodId);
    this.#reported.set(methodId, { at: this.now, isFinal: isFinal || (known?.isFinal ?? false) });
  }

  async #settle(intentId: string): Promise<void> {
    const { refunds, disputes } = this.#moneyOf(intentId);
    this.at.bank.change(intentId, { refunds: refunds.map((one) => ({ ...one })), disputes });
    await settleIntent(this.#checkout, intentId);
  }

  #moneyOf(intentId: string): Money {
    const money = this.#money.get(intentId) ?? { refunds: [], disputes: [] };
    this.#money.set(intentId, money);
    return money;
  }

  #paid(index: number): { intentId: string; cents: number; money: Money } | null {
    const paid = [...this.at.bank.intents.values()].filter(({ status }) => status === "succeeded");
    const intent = paid[index % Math.max(1, paid.length)];
    return intent
      ? { intentId: intent.intentId, cents: intent.cents, money: this.#moneyOf(intent.intentId) }
      : null;
  }

  #intent(intentId: string) {
    const intent = this.at.bank.intents.get(intentId);
    if (!intent) throw new Error(`the bank has no ${intentId}`);
    return intent;
  }

  #driver(index: number) {
    const id = DRIVERS[index];
    if (!id) throw new Error("no such driver");
    return id;
  }
}
