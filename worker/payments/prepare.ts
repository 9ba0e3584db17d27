import { attachIntent, insertPayment } from "../../db/queries/payment-changes.ts";
import {
  paymentUnderWay,
  readLastPaymentId,
  readCustomer,
  saveCustomer,
  type PaymentRow,
} from "../../db/queries/payments.ts";
import type { DriverId } from "../../durable/engine/units.ts";
import type { Breakdown } from "./prices.ts";
import { abandonUnasked, announce, settleIntent } from "./settle.ts";
import { settleWithoutCard } from "./settlement.ts";
import type { Cards } from "./stripe.ts";
import { CardsFault } from "./stripe-answers.ts";
import type { CardTill, Till } from "./till.ts";

/** Other tabs of the same driver may win a round; they can't win all. */
const MOST_ROUNDS = 4;

/**
 * `ready`: the card form can be opened. `settled`: nothing is left to pay for this payment, which
 * may be an earlier one that turned out paid. `points_short`: the points are gone. `already_paid`: a
 * payment that the driver did not know of went through. `busy`: another
 * payment is on its way through the bank, or other tabs keep at it.
 */
export type Prepared =
  | { kind: "ready"; payment: PaymentRow; clientSecret: string }
  | { kind: "settled"; payment: PaymentRow }
  | { kind: "points_short" }
  | { kind: "already_paid" }
  | { kind: "busy" };

/** What is to be paid. `lastKnown` is the latest payment that the driver knew of. */
export type Order = {
  driverId: DriverId;
  breakdown: Breakdown;
  currency: string;
  lastKnown: string | null;
};

/**
 * Prepares the one payment that a driver has under way. The same price gives the same payment and
 * the same intent; another gives the former up, at the card processor first.
 * @throws {CardsFault} `unreachable`: repeating it is safe
 */
export async function preparePayment(
  till: Till,
  { driverId, breakdown, currency, lastKnown }: Order,
): Promise<Prepared> {
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const former = await paymentUnderWay(till.db, driverId);
    const next = former
      ? isSamePrice(former, breakdown, currency)
        ? await takeUp(till, former)
        : await giveUp(till, former)
      : await begin(till, toPayment({ driverId, breakdown, currency, now: till.deps.now() }), lastKnown);
    if (next !== "again") return next;
  }
  return { kind: "busy" };
}

async function begin(
  till: Till,
  payment: PaymentRow,
  lastKnown: Order["lastKnown"],
): Promise<Prepared | "again"> {
  const settlement = payment.totalCents === 0 ? settleWithoutCard(payment, payment.createdAt) : null;
  if (!(await insertPayment(till.db, payment, { settlement, lastKnown }))) {
    const { driverId } = payment;
    if (await paymentUnderWay(till.db, driverId)) return "again";
    const isOutdated = (await readLastPaymentId(till.db, driverId)) !== lastKnown;
    return { kind: isOutdated ? "already_paid" : "points_short" };
  }
  if (!settlement) return takeUp(till, payment);
  await announce(till, payment, settlement);
  return { kind: "settled", payment: { ...payment, status: "settled", settledAt: payment.createdAt } };
}

/** Goes on with a payment: its intent is made, or looked at. */
async function takeUp(till: Till, payment: PaymentRow): Promise<Prepared | "again"> {
  const cards = cardsOf(till);
  if (payment.intentId === null) return makeIntent({ ...till, cards }, payment);
  const settled = await settleIntent({ ...till, cards }, payment.intentId);
  if (!settled) return { kind: "busy" };
  if (settled.payment.settledAt !== null) return { kind: "settled", payment: settled.payment };
  if (settled.payment.status === "abandoned") return "again";
  const { status, clientSecret } = settled.card;
  if (status !== "open" || clientSecret === null) return { kind: "busy" };
  return { kind: "ready", payment: settled.payment, clientSecret };
}

/** Another price is wanted: what was under way is canceled, unless it was paid meanwhile. */
async function giveUp(till: Till, payment: PaymentRow): Promise<Prepared | "again"> {
  if (payment.intentId === null) {
    await abandonUnasked(till, payment);
    return "again";
  }
  const cards = cardsOf(till);
  await cards.cancelIntent(payment.intentId);
  const settled = await settleIntent({ ...till, cards }, payment.intentId);
  if (settled?.payment.status === "abandoned") return "again";
  return settled && settled.payment.settledAt !== null
    ? { kind: "settled", payment: settled.payment }
    : { kind: "busy" };
}

async function makeIntent(till: CardTill, payment: PaymentRow): Promise<Prepared | "again"> {
  const { cards, db } = till;
  try {
    const { intentId, clientSecret } = await cards.createIntent(payment, await customerOf(till, payment));
    if (clientSecret === null) return { kind: "busy" };
    if (await attachIntent(db, payment, intentId)) {
      return { kind: "ready", payment: { ...payment, intentId }, clientSecret };
    }
    // Another tab gave this payment up in the meantime; its secret is shown to nobody.
    await cards.cancelIntent(intentId);
    return "again";
  } catch (error) {
    if (!(error instanceof CardsFault)) throw error;
    if (error.kind === "unreachable" && !error.isReplayed) throw error;
    // Under this key the answer will always be the same: the next try begins another payment.
    await abandonUnasked(till, payment);
    if (error.missing !== "customer") throw error;
    await newCustomer(till, payment, `customer:${payment.id}`);
    return "again";
  }
}

async function customerOf(till: CardTill, payment: PaymentRow): Promise<string> {
  const known = await readCustomer(till.db, payment.driverId);
  return known ?? newCustomer(till, payment, `customer:${payment.driverId}`);
}

async function newCustomer({ cards, db }: CardTill, { driverId }: PaymentRow, key: string): Promise<string> {
  const customerId = await cards.createCustomer(driverId, key);
  await saveCustomer(db, driverId, customerId);
  return customerId;
}

/** @throws {CardsFault} `refused` where the keys were taken away while a payment was under way */
function cardsOf({ cards }: Till): Cards {
  if (!cards) throw new CardsFault("refused");
  return cards;
}

function isSamePrice(payment: PaymentRow, breakdown: Breakdown, currency: string): boolean {
  return (
    payment.plan === breakdown.plan &&
    payment.cutId === (breakdown.cut?.id ?? null) &&
    payment.points === breakdown.points &&
    payment.totalCents === breakdown.totalCents &&
    payment.currency === currency
  );
}

function toPayment({
  driverId,
  breakdown,
  currency,
  now,
}: {
  driverId: DriverId;
  breakdown: Breakdown;
  currency: string;
  now: number;
}): PaymentRow {
  const { cut, ...figures } = breakdown;
  return {
    id: crypto.randomUUID(),
    driverId,
    intentId: null,
    status: "open",
    currency,
    ...figures,
    cutId: cut?.id ?? null,
    cutKind: cut?.kind ?? null,
    cutEndsAt: cut?.endsAt ?? null,
    refundedCents: 0,
    receiptUrl: null,
    createdAt: now,
    settledAt: null,
    revision: 1,
  };
}
