import type { EpochMs } from "../../../db/shapes/units.ts";

/** An intent as Stripe has it, as far as the books go. Money in cents, service in days. */
export type StripeBooking = {
  intentId: string;
  /** The payment that it names; null where it was made by hand or by another shop. */
  paymentId: string | null;
  isPaid: boolean;
  cents: number;
  currency: string;
  days: number | null;
  /** Refunds that did not fail, and disputes that are lost. */
  returnedCents: number;
  /** The sum of its balance transactions, fees included; null where they can't be read. */
  balanceCents: number | null;
};

/** A movement of Stripe's balance that no payment made: a payout, or a fee of its own. */
export type Movement = { id: string; type: string; cents: number; currency: string; at: EpochMs };

/** The same payment as our database has it. */
export type OurBooking = {
  intentId: string | null;
  paymentId: string;
  isPaid: boolean;
  cents: number;
  currency: string;
  creditedDays: number;
  returnedCents: number;
  /** The payment's part of Stripe's balance by the journal; null where that began later. */
  balanceCents: number | null;
};

/** One thing that the two sides disagree on. */
export type BookDifference = {
  paymentId: string | null;
  intentId: string | null;
  /**
   * `second_intent`: paid again, beside the intent that we know. `unknown_intent`: paid, and names no payment of ours. The
   * last five are of the journal beside our own ledgers, which stand for Stripe and us.
   */
  what:
    | "missing_here"
    | "missing_at_stripe"
    | "second_intent"
    | "unknown_intent"
    | "paid"
    | "cents"
    | "currency"
    | "days"
    | "returned_cents"
    | "balance"
    | "movement"
    | "entry"
    | "time"
    | "points"
    | "time_owed"
    | "service_owed";
  stripe: string;
  ours: string;
};

/**
 * Where Stripe's books and ours disagree.
 * @param isInSpan whether a payment was begun in the span that is compared: the sides may hold more, since an intent is
 *   made after its payment
 */
export function compareBooks(
  { stripe, ours }: { stripe: readonly StripeBooking[]; ours: readonly OurBooking[] },
  isInSpan: (booking: { paymentId: string | null; intentId: string | null }) => boolean,
): BookDifference[] {
  const oursById = new Map(ours.map((booking) => [booking.paymentId, booking]));
  const intents = new Set(stripe.map(({ intentId }) => intentId));
  const found = stripe
    .filter((booking) => isInSpan(booking))
    .flatMap((booking) => compareBooking(booking, oursById.get(booking.paymentId ?? "") ?? null));
  const missing = ours
    .filter((booking) => booking.isPaid && booking.cents > 0 && isInSpan(booking))
    .filter(({ intentId }) => intentId === null || !intents.has(intentId))
    .map(({ paymentId, intentId, cents }): BookDifference => {
      return { paymentId, intentId, what: "missing_at_stripe", stripe: "none", ours: String(cents) };
    });
  return [...found, ...missing];
}

function compareBooking(stripe: StripeBooking, ours: OurBooking | null): BookDifference[] {
  const { paymentId, intentId } = stripe;
  if (!ours) {
    if (paymentId === null && stripe.returnedCents >= stripe.cents) return [];
    const difference = { paymentId, intentId, stripe: String(stripe.cents), ours: "none" };
    const what = paymentId === null ? "unknown_intent" : "missing_here";
    return stripe.isPaid ? [{ ...difference, what }] : [];
  }
  // Money that went back in full is nobody's any more.
  if (ours.intentId !== null && ours.intentId !== intentId) {
    const isKept = stripe.isPaid && stripe.returnedCents < stripe.cents;
    const second = { paymentId, intentId, stripe: String(stripe.cents), ours: ours.intentId };
    return isKept ? [{ ...second, what: "second_intent" }] : [];
  }
  const differ = (what: BookDifference["what"], there: unknown, here: unknown): BookDifference[] =>
    there === here ? [] : [{ paymentId, intentId, what, stripe: String(there), ours: String(here) }];
  const paid = differ("paid", stripe.isPaid, ours.isPaid);
  if (!stripe.isPaid || !ours.isPaid) return paid;
  return [
    ...differ("cents", stripe.cents, ours.cents),
    ...differ("currency", stripe.currency, ours.currency),
    ...(stripe.days === null ? [] : differ("days", stripe.days, ours.creditedDays)),
    ...differ("returned_cents", stripe.returnedCents, ours.returnedCents),
    ...(stripe.balanceCents === null || ours.balanceCents === null
      ? []
      : differ("balance", stripe.balanceCents, ours.balanceCents)),
  ];
}

/** Movements that only one side has booked, or with another sum. */
export function compareMovements(stripe: readonly Movement[], ours: readonly Movement[]): BookDifference[] {
  const format = (movement: Movement | undefined) =>
    movement ? `${movement.type} ${movement.cents} ${movement.currency}` : "none";
  const theirs = new Map(stripe.map((movement) => [movement.id, movement]));
  const here = new Map(ours.map((movement) => [movement.id, movement]));
  return [...new Set([...theirs.keys(), ...here.keys()])]
    .map((id) => ({ id, there: theirs.get(id), known: here.get(id) }))
    .filter(({ there, known }) => there?.cents !== known?.cents || there?.currency !== known?.currency)
    .map(({ id, there, known }) => {
      return { paymentId: null, intentId: id, what: "movement", stripe: format(there), ours: format(known) };
    });
}
