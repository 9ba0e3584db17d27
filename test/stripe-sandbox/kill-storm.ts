import * as fc from "fast-check";
import { loadDriver } from "../../db/queries/accounts/drivers.ts";
import { notePendingEvent } from "../../db/queries/payments/stripe-events.ts";
import { loadLastPaymentId } from "../../db/queries/payments/payments.ts";
import { HANDLED_EVENTS } from "../../db/shapes/money/stripe-words.ts";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import { DAY_MS, driverId as driverIdShape, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { carryOutLeftOrders } from "../../worker/console/orders.ts";
import { reconcilePayments } from "../../worker/payments/books/reconcile.ts";
import {
  bookMovements,
  closeYesterday,
  reconcileBooks,
} from "../../worker/payments/books/reconcile-books.ts";
import type { CardCheckoutContext } from "../../worker/payments/checkout.ts";
import { prepareIntent } from "../../worker/payments/prepare.ts";
import { priceForDriver } from "../../worker/payments/prices/quote.ts";
import { runDueRenewals } from "../../worker/payments/renewals/renewals.ts";
import { handleDueEvents, handleEvent } from "../../worker/payments/stripe/events.ts";
import { judgeBalances, judgeBooks, readBalances, type ReadRows } from "../payments/books-judge.ts";
import { openCheckout } from "../payments/checkout-harness.ts";
import { START } from "../platform/sandbox-harness.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { MortalProcess } from "./mortal-process.ts";
import type { openStripeHarness } from "./stripe-harness.ts";

const DRIVERS = [1, 2, 3].map((count) => driverIdShape.parse(`6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a0${count}`));
const FOR_GOOD = Infinity;

const who = fc.nat(DRIVERS.length - 1);
const payment = fc.nat(5);
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("buy" as const), who, renews: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("refund" as const), payment, share: fc.constantFrom(0.3, 1) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("dispute" as const),
      payment,
      outcome: fc.constantFrom(undefined, "won", "lost"),
    }),
  },
  fc.record({ kind: fc.constant("warn" as const), payment }),
  fc.record({ kind: fc.constant("payout" as const), cents: fc.integer({ min: 1, max: 900 }) }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("wait" as const), hours: fc.constantFrom(1, 30, 73) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("renew" as const) }) },
);
/** After how many writes each process dies; a payment takes a dozen, from the form to the last event. */
const writes = fc.oneof({ weight: 6, arbitrary: fc.nat(11) }, fc.constant(FOR_GOOD));
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;
type Step = { act: Act; writes: number };
/** Few renewals would begin by chance alone: each storm is one of drivers of whom one has agreed to be charged. */
const AGREED: Step = { act: { kind: "buy", who: 0, renews: true }, writes: FOR_GOOD };
export const storm = fc
  .array(fc.record({ act, writes }), { minLength: 8, maxLength: 16 })
  .map((steps): Step[] => [AGREED, ...steps]);
/** A storm in which a renewal is charged for certain. */
export const RENEWED: Step[] = [AGREED, { act: { kind: "renew" }, writes: FOR_GOOD }];
type SignedBody = { body: string; signature: string };

/** Drivers who pay, a bank that takes back, and a process that is killed at any step, over the simulated Stripe. */
export class KillStorm {
  readonly at;
  readonly #stripe: Awaited<ReturnType<typeof openStripeHarness>>;
  #process: MortalProcess;
  /** The last event that the product said yes to. */
  #seen: string | null = null;
  kills = 0;

  constructor(stripe: Awaited<ReturnType<typeof openStripeHarness>>) {
    this.#stripe = stripe;
    this.at = openCheckout({ STRIPE_URL: stripe.server.url });
    this.at.clock.now = START;
    for (const id of DRIVERS) this.at.addDriver(id);
    this.#process = this.#start(FOR_GOOD);
  }

  readonly #rows: ReadRows = (query, ...params) => this.at.rows(query, ...params);

  /** One act in a process that may die in it, and what is wrong in the books after that. */
  async run({ act: one, writes: mostWrites }: Step): Promise<string[]> {
    this.#process = this.#start(mostWrites);
    await this.#act(one);
    await this.#deliverEvents();
    if (this.#process.isDead) this.kills += 1;
    return judgeBooks(this.#rows);
  }

  /** Starts again for good: the crons of two days, and what is wrong after that, with Stripe's own books beside ours. */
  async end(): Promise<string[]> {
    this.#process = this.#start(FOR_GOOD);
    await this.#deliverEvents();
    for (let day = 0; day < 2; day += 1) await this.#wait(DAY_MS);
    const { checkout } = this.#process;
    const { db, cards } = checkout;
    const span = { from: START - DAY_MS, to: this.at.clock.now + DAY_MS };
    await bookMovements(db, (await cards.fetchBooks(span)).movements ?? [], this.at.clock.now);
    const { differences } = await reconcileBooks({ db, fetchBooks: cards.fetchBooks }, span);
    const balances = await readBalances(this.#stripe.server.url, DEMO_SETTINGS.STRIPE_SECRET_KEY);
    return [
      ...judgeBooks(this.#rows),
      ...judgeBalances(this.#rows, balances),
      ...differences.map((difference) => JSON.stringify(difference)),
      ...this.#rows(`SELECT id FROM payments WHERE status IN ('open', 'processing')`).map(
        ({ id }) => `${String(id)} is open for ever`,
      ),
    ];
  }

  #start(mostWrites: number): MortalProcess {
    return new MortalProcess({ at: this.at, writes: mostWrites });
  }

  async #act(one: Act): Promise<void> {
    switch (one.kind) {
      case "buy":
        return this.#buy(one);
      case "refund": {
        const { id, amount } = (await this.#paid(one.payment)) ?? {};
        // Stripe refuses where the money was given back already.
        if (id && amount)
          await this.#stripe.move(id, "refund", { amount: Math.ceil(amount * one.share) }).catch(() => null);
        return;
      }
      case "dispute":
      case "warn": {
        const { id } = (await this.#paid(one.payment)) ?? {};
        const body = one.kind === "dispute" && one.outcome ? { outcome: one.outcome } : {};
        if (id) await this.#stripe.move(id, one.kind, body).catch(() => null);
        return;
      }
      case "payout":
        await this.#stripe
          .control("POST", "/sandbox/stripe/movements", { type: "payout", amount: one.cents })
          .catch(() => null);
        return;
      case "wait":
        return this.#wait(one.hours * HOUR_MS);
      case "renew":
        return this.#renew();
    }
  }

  async #buy({ who: index, renews }: Extract<Act, { kind: "buy" }>): Promise<void> {
    const id = DRIVERS[index];
    if (!id) return;
    const prepared = await this.#process.run(async (checkout) => {
      const driver = await loadDriver(checkout.db, id);
      if (!driver) throw new Error("there is no driver");
      const { order } = await priceForDriver(checkout, driver, { plan: "7days", points: 0, priceId: null });
      return prepareIntent(checkout, {
        driver,
        order,
        knownPaymentId: await loadLastPaymentId(checkout.db, id),
        renewal: renews ? { capCents: order.totalCents, words: RENEWAL_WORDS } : null,
        savesCard: false,
      });
    });
    if (prepared === "killed" || prepared.kind !== "ready" || prepared.payment.intentId === null) return;
    // The card form is Stripe's: it takes the money whether we live or not.
    await this.#stripe.move(prepared.payment.intentId, "pay", { card: "4242424242424242" });
  }

  /** Time passes until the next renewal is announced, and then until it is charged. */
  async #renew(): Promise<void> {
    for (let step = 0; step < 2; step += 1) {
      const [next] = this.#rows(`SELECT min(due_at) AS at FROM renewals WHERE status = 'on'`);
      if (typeof next?.["at"] !== "number") return;
      await this.#wait(Math.max(0, next["at"] - this.at.clock.now) + MINUTE_MS);
    }
  }

  /** Time passes, and the crons of its end run. */
  async #wait(lengthMs: number): Promise<void> {
    this.at.clock.now += lengthMs;
    await this.#stripe.world({ now: this.at.clock.now });
    await this.#deliverEvents();
    await this.#process.run(handleDueEvents);
    await this.#process.run(carryOutLeftOrders);
    await this.#process.run(runDueRenewals);
    // A push was taken at once, so that a later minute charges.
    this.at.run(
      `INSERT OR IGNORE INTO renewal_notices (source, channel, driver_id, at)
        SELECT 'renewal:' || consent_id || ':' || noticed_end || ':ahead:' || noticed_cents, 'push', driver_id, noticed_at
        FROM renewals WHERE noticed_end IS NOT NULL`,
    );
    await this.#process.run(reconcilePayments);
    await this.#process.run(closeYesterday);
  }

  /** As the webhook's route does: an event is noted, then handled; one that was not noted is sent again. */
  async #deliverEvents(): Promise<void> {
    const query = `?signedAt=${this.at.clock.now}${this.#seen === null ? "" : `&after=${this.#seen}`}`;
    const events = await this.#stripe.events(query);
    for (const { body, signature } of events) {
      const noted = await this.#process.run((checkout) => this.#note(checkout, { body, signature }));
      if (noted === "killed") return;
      this.#seen = noted.id;
      const { pending } = noted;
      if (pending) await this.#process.run((checkout) => handleEvent(checkout, pending));
    }
  }

  async #note({ cards, db, deps }: CardCheckoutContext, { body, signature }: SignedBody) {
    const event = await cards.verifyEvent(body, signature);
    if (!event) throw new Error("the event is not signed");
    const { id, type } = event;
    const intentId = event.intentId ?? event.chargeId;
    if (intentId === null || !HANDLED_EVENTS.has(type)) return { id, pending: null };
    const pending = { id, type, intentId, tries: 0, dueAt: deps.now() + MINUTE_MS };
    await notePendingEvent(db, pending);
    return { id, pending };
  }

  async #paid(index: number): Promise<{ id: string; amount: number } | null> {
    type Listed = { intents: { id: string; amount: number; status: string }[] };
    const { intents } = await this.#stripe.control<Listed>("GET", "/sandbox/stripe/intents");
    const paid = intents.filter(({ status }) => status === "succeeded").toReversed();
    return paid[index % Math.max(1, paid.length)] ?? null;
  }
}
