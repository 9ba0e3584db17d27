/** A payment as Stripe has it, as far as the books go. Money in cents, service in days. */
export type StripeBooking = {
  intentId: string;
  paymentId: string;
  isPaid: boolean;
  cents: number;
  currency: string;
  days: number | null;
  /** Refunds that did not fail, and disputes that are lost. */
  returnedCents: number;
};

/** The same payment as our database has it. */
export type OurBooking = {
  intentId: string | null;
  paymentId: string;
  isPaid: boolean;
  cents: number;
  currency: string;
  creditedDays: number;
  returnedCents: number;
};

/** One thing that the two sides disagree on. */
export type BookDifference = {
  paymentId: string;
  intentId: string | null;
  what: "missing_here" | "missing_at_stripe" | "paid" | "cents" | "currency" | "days" | "returned_cents";
  stripe: string;
  ours: string;
};

/**
 * Where Stripe's books and ours disagree.
 * @param isInSpan whether a payment was begun in the span that is compared: the sides may hold more, since an intent is made after its payment
 */
export function compareBooks(
  { stripe, ours }: { stripe: readonly StripeBooking[]; ours: readonly OurBooking[] },
  isInSpan: (paymentId: string) => boolean,
): BookDifference[] {
  const oursById = new Map(ours.map((booking) => [booking.paymentId, booking]));
  const intents = new Set(stripe.map(({ intentId }) => intentId));
  const found = stripe
    .filter(({ paymentId }) => isInSpan(paymentId))
    .flatMap((booking) => compareBooking(booking, oursById.get(booking.paymentId) ?? null));
  const missing = ours
    .filter(({ paymentId, isPaid, cents }) => isPaid && cents > 0 && isInSpan(paymentId))
    .filter(({ intentId }) => intentId === null || !intents.has(intentId))
    .map(({ paymentId, intentId, cents }): BookDifference => {
      return { paymentId, intentId, what: "missing_at_stripe", stripe: "none", ours: String(cents) };
    });
  return [...found, ...missing];
}

function compareBooking(stripe: StripeBooking, ours: OurBooking | null): BookDifference[] {
  const { paymentId, intentId } = stripe;
  if (!ours) {
    const difference = { paymentId, intentId, stripe: String(stripe.cents), ours: "none" };
    return stripe.isPaid ? [{ ...difference, what: "missing_here" }] : [];
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
  ];
}
