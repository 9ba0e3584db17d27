import { eq, inArray } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import { closeJournalDays } from "../../../db/queries/payments/journal.ts";
import { attachIntent, insertPayment } from "../../../db/queries/payments/new-payments.ts";
import { savePaymentChange } from "../../../db/queries/payments/payment-changes.ts";
import {
  loadLastPaymentId,
  loadPaymentLedger,
  type DisputeRow,
  type PaymentRow,
} from "../../../db/queries/payments/payments.ts";
import { payments, undeliveredServiceChanges } from "../../../db/schema/payments.ts";
import { renewalConsents, renewals } from "../../../db/schema/renewal.ts";
import { PLAN_DAYS, SEED_PRICES, type PlanForSale } from "../../../db/shapes/money/plans.ts";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { bookDay } from "../../../worker/payments/books/earned.ts";
import { toPaymentRow } from "../../../worker/payments/prepare.ts";
import { priceOrder } from "../../../worker/payments/prices/prices.ts";
import type { Refund } from "../../../worker/payments/refunds.ts";
import { settlePayment } from "../../../worker/payments/settlement.ts";
import type { CardPayment } from "../../../worker/payments/card-payment.ts";
import { createChance, pick } from "../../sandbox/chance.ts";
import { MADE_UP_DRIVERS, uuidOf, type MadeUpDriver } from "./made-up-drivers.ts";

const PLANS: readonly { plan: PlanForSale; weight: number }[] = [
  { plan: "3days", weight: 2 },
  { plan: "7days", weight: 4 },
  { plan: "14days", weight: 3 },
  { plan: "30days", weight: 2 },
];

/** How a payment ended. */
type Fate =
  | "kept"
  | "refunded"
  | "partly_refunded"
  | "goodwill"
  | "disputed"
  | "dispute_lost"
  | "left_open"
  | "abandoned";
type MadeUpPayment = { driver: MadeUpDriver; plan: PlanForSale; at: EpochMs; fate: Fate; name: string };

/** The unusual ones, by the place of the payment among all. */
const FATES: ReadonlyMap<number, Fate> = new Map([
  [94, "refunded"],
  [108, "partly_refunded"],
  [121, "goodwill"],
  [133, "dispute_lost"],
  [147, "refunded"],
  [158, "disputed"],
]);
/** How long after the payment its money went back. */
const BACK_AFTER_MS = 2 * DAY_MS;

/**
 * Lets the made-up drivers pay through the product's own settling, each at its time, so that ledgers, points, receipts and
 * journal are what the product would have written.
 */
export async function writeFleetMoney(db: Db, now: EpochMs): Promise<void> {
  const all = paymentsBefore(now);
  const backs = all.filter(({ fate }) => fate !== "kept" && fate !== "left_open" && fate !== "abandoned");
  const steps = [
    ...all.map((payment) => ({ at: payment.at, run: () => pay(db, payment) })),
    ...backs.map((payment) => ({ at: payment.at + BACK_AFTER_MS, run: () => giveBack(db, payment) })),
    ...daysBetween(all[0]?.at ?? now, now).map((day) => ({
      at: (day + 1) * DAY_MS,
      run: () => closeDay(db, day),
    })),
  ].toSorted((one, other) => one.at - other.at);
  for (const { run } of steps) await run();
  await writeRenewals(db, now);
  // Nobody hears of what never happened.
  const ids = MADE_UP_DRIVERS.map(({ id }) => id);
  await db.delete(undeliveredServiceChanges).where(inArray(undeliveredServiceChanges.driverId, ids));
}

/** The days from an instant on that are over. */
function daysBetween(from: EpochMs, now: EpochMs): number[] {
  const first = Math.floor(from / DAY_MS);
  return Array.from({ length: Math.floor(now / DAY_MS) - first }, (_, index) => first + index);
}

/** Books what was earned and used in a day, and closes it, as the product does once it is over. */
async function closeDay(db: Db, day: number): Promise<void> {
  const at = (day + 1) * DAY_MS;
  await bookDay(db, day, at);
  await closeJournalDays(db, at);
}

/** Each driver pays anew as service ends, now and then a day late; those whose service ended stopped. */
function paymentsBefore(now: EpochMs): MadeUpPayment[] {
  const chance = createChance("made-up payments");
  const found = MADE_UP_DRIVERS.flatMap((driver, index): MadeUpPayment[] => {
    if (driver.state === "not_linked") return [];
    const stopped = driver.state === "no_service" ? now - 4 * DAY_MS : now - 20 * MINUTE_MS;
    const own: MadeUpPayment[] = [];
    let at = now - driver.joinedAgoMs + Math.round(chance() * 9 * HOUR_MS);
    while (at < stopped) {
      const { plan } = pick(chance(), PLANS, ({ weight }) => weight);
      own.push({ driver, plan, at, fate: "kept", name: `made-up-${index}-${own.length}` });
      at += PLAN_DAYS[plan] * DAY_MS + Math.round(chance() * chance() * 30 * HOUR_MS);
    }
    if (driver.state === "no_service")
      own.push({
        driver,
        plan: "7days",
        at: now - 3 * HOUR_MS,
        fate: "left_open",
        name: `made-up-${index}-open`,
      });
    if (driver.state === "verification_required")
      own.push({
        driver,
        plan: "14days",
        at: now - 30 * HOUR_MS,
        fate: "abandoned",
        name: `made-up-${index}-left`,
      });
    return own;
  }).toSorted((one, other) => one.at - other.at);
  return found.map((payment, place) => {
    const fate = FATES.get(place);
    const isPast = payment.at + BACK_AFTER_MS < now - HOUR_MS;
    return fate && isPast && payment.fate === "kept" ? { ...payment, fate } : payment;
  });
}

async function pay(db: Db, { driver, plan, at, fate, name }: MadeUpPayment): Promise<void> {
  const order = priceOrder(
    {
      plan,
      points: 0,
      price: { id: null, priceCents: SEED_PRICES[plan] },
      currency: "USD",
      minChargeCents: 50,
      balance: 0,
      discounts: [],
      feeMillionths: 7_000,
    },
    at,
  );
  const row: PaymentRow = {
    ...toPaymentRow(order, { driverId: driver.id, now: at, tax: null }),
    id: uuidOf(name),
  };
  const knownPaymentId = await loadLastPaymentId(db, driver.id);
  if (!(await insertPayment(db, row, { settlement: null, knownPaymentId })))
    throw new Error(`the payment ${name} was not taken`);
  await attachIntent(db, row, intentOf(name));
  if (fate === "left_open") return;
  const status = fate === "abandoned" ? "canceled" : "succeeded";
  await settle(db, { name, card: { status, paidAt: at + MINUTE_MS } }, at + MINUTE_MS);
}

async function giveBack(db: Db, { plan, at, fate, name }: MadeUpPayment): Promise<void> {
  const backAt = at + BACK_AFTER_MS;
  const isDispute = fate === "disputed" || fate === "dispute_lost";
  const wholeCents = Math.round(SEED_PRICES[plan] * 1.007);
  const refund: Refund = {
    id: `${isDispute ? "du" : "re"}_${name}`,
    kind: isDispute ? "dispute" : "refund",
    cents: fate === "partly_refunded" || fate === "goodwill" ? Math.round(wholeCents / 3) : wholeCents,
    at: backAt,
    isEffective: fate !== "disputed",
    isGoodwill: fate === "goodwill",
  };
  const dispute: DisputeRow = {
    id: refund.id,
    status: fate === "disputed" ? "needs_response" : "lost",
    reason: "product_not_received",
    cents: wholeCents,
    feeCents: 1_500,
    dueAt: fate === "disputed" ? backAt + 30 * DAY_MS : null,
    at: backAt,
  };
  const card = { refunds: [refund], disputes: isDispute ? [dispute] : [], paidAt: at + MINUTE_MS };
  await settle(db, { name, card }, backAt);
}

/** Settles as if Stripe had said so at that time. */
async function settle(
  db: Db,
  { name, card }: { name: string; card: Partial<CardPayment> },
  now: EpochMs,
): Promise<void> {
  const [payment] = await db
    .select()
    .from(payments)
    .where(eq(payments.id, uuidOf(name)));
  if (!payment) throw new Error(`the payment ${name} is not there`);
  const ledger = await loadPaymentLedger(db, payment);
  const change = settlePayment(payment, { ledger, card: { ...paidCard(name, payment), ...card } }, now);
  if (change && !(await savePaymentChange(db, payment, { change, event: null, now })))
    throw new Error(`the payment ${name} was not settled`);
}

function paidCard(name: string, { id, totalCents }: PaymentRow): CardPayment {
  return {
    intentId: intentOf(name),
    paymentId: id,
    status: "succeeded",
    cents: totalCents,
    currency: "USD",
    clientSecret: null,
    paidAt: null,
    receiptUrl: null,
    method: { type: "card", brand: "visa", last4: "4242" },
    methodId: `pm_${name.split("-")[2]}`,
    failure: null,
    refunds: [],
    disputes: [],
    // 2.9 % and 30 cents.
    processorFeeCents: Math.round(totalCents * 0.029) + 30,
    usage: null,
    openDispute: null,
    fingerprint: `print_${name.split("-")[2]}`,
    reports: [],
  };
}

function intentOf(name: string): string {
  return `pi_${name.replaceAll("-", "_")}`;
}

/** A third of the drivers at work renew by themselves, and one renewal paused. */
async function writeRenewals(db: Db, now: EpochMs): Promise<void> {
  const renewing = MADE_UP_DRIVERS.filter(({ state }, index) => index % 3 === 0 && state !== "not_linked");
  for (const [place, { id: driverId }] of renewing.entries()) {
    const consentId = uuidOf(`consent of ${driverId}`);
    const consent = { driverId, plan: "7days", capCents: 5_500, currency: "USD" } as const;
    const isPaused = place === 0;
    await db.batch([
      db
        .insert(renewalConsents)
        .values({ id: consentId, at: now - 6 * DAY_MS, words: RENEWAL_WORDS, ...consent }),
      db.insert(renewals).values({
        ...consent,
        consentId,
        status: isPaused ? "paused" : "on",
        pause: isPaused ? "declined" : null,
        methodId: `pm_${place}`,
        method: "card",
        methodBrand: "visa",
        methodLast4: "4242",
        dueAt: isPaused ? null : now + 2 * DAY_MS,
        tries: 0,
        revision: 1,
      }),
    ]);
  }
}
