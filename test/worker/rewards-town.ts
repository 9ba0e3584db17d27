import { env } from "cloudflare:test";
import * as fc from "fast-check";
import { openDb } from "../../db/client.ts";
import { eraseDriverData } from "../../db/queries/accounts/account-deletion.ts";
import { createDriver } from "../../db/queries/accounts/drivers.ts";
import { insertInvitation, loadInviteCode } from "../../db/queries/rewards/invitations.ts";
import { insertPayment } from "../../db/queries/payments/new-payments.ts";
import { savePaymentChange } from "../../db/queries/payments/payment-changes.ts";
import {
  loadLastPaymentId,
  loadPaymentByIntent,
  type PaymentRow,
} from "../../db/queries/payments/payments.ts";
import { redeemService, redeemTrial } from "../../db/queries/rewards/rewards.ts";
import { switchOnWithTrial } from "../../db/queries/rewards/trial.ts";
import { PLANS_FOR_SALE, SEED_PRICES, type PlanForSale } from "../../db/shapes/money/plans.ts";
import { driverId as driverIdShape, HOUR_MS, type DriverId } from "../../db/shapes/units.ts";
import { toPaymentRow } from "../../worker/payments/prepare.ts";
import { priceOrder } from "../../worker/payments/prices/prices.ts";
import type { Refund } from "../../worker/payments/refunds.ts";
import { settlePayment } from "../../worker/payments/settlement.ts";
import type { CardPayment } from "../../worker/payments/card-payment.ts";
import { rows } from "./payments-harness.ts";

const db = openDb(env.DB);
const NOON = Date.parse("2026-11-21T12:00:00Z");
export const FRIENDS = 2;
/** Numbers that trials are given for. There are more givers. */
const NUMBERS = 2;
/** Enough for a plan of three days and a trial. */
const FIRST_POINTS = 500;

type Card = { intentId: string; owner: number; row: PaymentRow; refunds: Refund[]; isPaid: boolean };

/** One thing that somebody does. */
export const step = fc.oneof(
  fc.record({
    kind: fc.constant("pay" as const),
    who: fc.nat(FRIENDS),
    plan: fc.constantFrom(...PLANS_FOR_SALE),
    points: fc.nat(1500),
  }),
  fc.record({
    kind: fc.constant("refund" as const),
    card: fc.nat(9),
    share: fc.constantFrom(0.3, 1),
    isGoodwill: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("refund_fails" as const), card: fc.nat(9) }),
  fc.record({
    kind: fc.constant("redeem" as const),
    who: fc.nat(FRIENDS),
    plan: fc.constantFrom(...PLANS_FOR_SALE),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    kind: fc.constant("give" as const),
    who: fc.nat(FRIENDS),
    number: fc.nat(NUMBERS - 1),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ kind: fc.constant("register" as const), number: fc.nat(NUMBERS - 1) }),
  fc.record({ kind: fc.constant("invite" as const), who: fc.nat(FRIENDS) }),
  fc.record({
    kind: fc.constant("gift" as const),
    who: fc.nat(FRIENDS),
    points: fc.integer({ min: 1, max: 2000 }),
  }),
  fc.record({ kind: fc.constant("wait" as const), hours: fc.nat(24 * 20) }),
);
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let runs = 0;

/** An inviter, friends who registered by the inviter's link, and numbers that register later, in one database. */
export class Town {
  now = NOON;
  readonly #tag = `t${(runs += 1)}`;
  readonly drivers: DriverId[] = [];
  /** The accounts that each number has had, the present one last. */
  readonly accounts = new Map<string, DriverId[]>();
  readonly #cards: Card[] = [];
  #count = 0;

  async open(): Promise<void> {
    for (let index = 0; index <= FRIENDS; index += 1) {
      const id = driverIdShape.parse(`${this.#tag}-d${index}`);
      const inviter = this.drivers[0];
      const referral = inviter ? await loadInviteCode(db, inviter, `${this.#tag}code`) : "jornada";
      await this.#register(id, { phoneNumber: `${this.#tag}-${index}`, referral });
      await this.#gift(id, FIRST_POINTS);
      this.drivers.push(id);
    }
  }

  async run(step: Step): Promise<void> {
    switch (step.kind) {
      case "wait":
        this.now += step.hours * HOUR_MS;
        return;
      case "gift":
        return this.#gift(this.#driver(step.who), step.points);
      case "redeem": {
        const redemption = {
          id: this.#id(),
          driverId: this.#driver(step.who),
          now: this.now,
          plan: step.plan,
        };
        await Promise.all(Array.from({ length: step.times }, () => redeemService(db, redemption)));
        return;
      }
      case "give": {
        const phoneNumber = this.#newNumber(step);
        await Promise.all(
          Array.from({ length: step.times }, () =>
            redeemTrial(db, {
              id: this.#id(),
              driverId: this.#driver(step.who),
              now: this.now,
              phoneNumber,
              invitationId: this.#id(),
            }),
          ),
        );
        return;
      }
      case "register": {
        // Twice at once, as a page does that got no answer; who had an account deletes it first.
        const phoneNumber = this.#newNumber(step);
        const accounts = this.accounts.get(phoneNumber) ?? [];
        const last = accounts.at(-1);
        if (last) await eraseDriverData(db, last, { customerId: null, now: this.now });
        const id = driverIdShape.parse(this.#id());
        this.accounts.set(phoneNumber, [...accounts, id]);
        const newcomer = { phoneNumber, referral: "jornada" };
        await Promise.all([this.#register(id, newcomer), this.#register(id, newcomer)]);
        // Pressed twice too.
        await Promise.all([switchOnWithTrial(db, id, this.now), switchOnWithTrial(db, id, this.now)]);
        return;
      }
      case "invite":
        return insertInvitation(db, {
          id: this.#id(),
          inviterId: this.#driver(step.who),
          phoneNumber: `${this.#tag}-x${step.who}`,
          now: this.now,
        });
      case "pay":
        return this.#pay(step);
      case "refund": {
        const card = this.#cards[step.card % Math.max(1, this.#cards.length)];
        if (!card) return;
        const cents = Math.floor(card.row.totalCents * step.share);
        card.refunds.push({
          id: `re_${this.#id()}`,
          kind: "refund",
          cents,
          at: this.now,
          isEffective: true,
          isGoodwill: step.isGoodwill,
        });
        return this.#settle(card);
      }
      case "refund_fails": {
        const card = this.#cards[step.card % Math.max(1, this.#cards.length)];
        const last = card?.refunds.at(-1);
        if (!card || !last) return;
        last.isEffective = false;
        return this.#settle(card);
      }
    }
  }

  async #register(
    id: DriverId,
    { phoneNumber, referral }: { phoneNumber: string; referral: string },
  ): Promise<void> {
    const rest = { name: "Ana", language: "en", humanTimezone: "UTC", createdAt: this.now } as const;
    await createDriver(db, { id, phoneNumber, referral, ...rest }, this.#id());
  }

  async #gift(driverId: DriverId, points: number): Promise<void> {
    await rows(
      `INSERT INTO point_entries (source, driver_id, points, at) VALUES (?, ?, ?, ?)`,
      `gift:${this.#id()}`,
      driverId,
      points,
      this.now,
    );
  }

  #newNumber({ number }: { number: number }): string {
    return `${this.#tag}-new${number}`;
  }

  async #pay({ who, plan, points }: { who: number; plan: PlanForSale; points: number }): Promise<void> {
    const driverId = this.#driver(who);
    const balance = await balanceOf(driverId);
    const order = priceOrder(
      {
        plan,
        points,
        price: { id: "p", priceCents: SEED_PRICES[plan] },
        minChargeCents: 50,
        currency: "USD",
        balance,
        discounts: [],
        feeMillionths: 7000,
      },
      this.now,
    );
    if (order.totalCents === 0) return;
    const id = this.#id();
    const intentId = `pi_${id}`;
    const row: PaymentRow = {
      ...toPaymentRow(order, { driverId, now: this.now, tax: null }),
      id,
      intentId,
    };
    const knownPaymentId = await loadLastPaymentId(db, driverId);
    if (!(await insertPayment(db, row, { settlement: null, knownPaymentId }))) return;
    const card: Card = { intentId, owner: who, row, refunds: [], isPaid: true };
    this.#cards.push(card);
    await this.#settle(card);
  }

  /** As two webhooks and a page that look at once. */
  async #settle(card: Card): Promise<void> {
    await Promise.all([this.#settleOnce(card), this.#settleOnce(card)]);
    await this.#settleOnce(card);
  }

  async #settleOnce({ intentId, row, refunds }: Card): Promise<void> {
    const found = await loadPaymentByIntent(db, { intentId, paymentId: null });
    if (!found) throw new Error("no payment");
    const card: CardPayment = {
      intentId,
      paymentId: row.id,
      status: "succeeded",
      cents: row.totalCents,
      currency: row.currency,
      clientSecret: null,
      paidAt: row.createdAt,
      receiptUrl: null,
      method: null,
      refunds: refunds.map((refund) => ({ ...refund })),
      usage: null,
      disputes: [],
      processorFeeCents: null,
      openDispute: null,
      methodId: null,
      failure: null,
      fingerprint: `card of ${row.driverId}`,
      reports: [],
    };
    const change = settlePayment(found.payment, { ledger: found.ledger, card }, this.now);
    if (change) await savePaymentChange(db, found.payment, { change, event: null, now: this.now });
  }

  #driver(index: number): DriverId {
    const id = this.drivers[index];
    if (!id) throw new Error("no such driver");
    return id;
  }

  #id(): string {
    this.#count += 1;
    return `${this.#tag}-${this.#count}`;
  }
}

async function balanceOf(driverId: DriverId): Promise<number> {
  const [row] = await rows(
    `SELECT coalesce(sum(points), 0) AS points FROM point_entries WHERE driver_id = ?`,
    driverId,
  );
  return Number(row?.["points"]);
}
