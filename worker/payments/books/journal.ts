import type { PaymentChange } from "../../../db/queries/payments/payment-changes.ts";
import type { PaymentLedger, PaymentRow } from "../../../db/queries/payments/payments.ts";
import { PLAN_DAYS } from "../../../db/shapes/money/plans.ts";
import type { JournalAccount, JournalLine } from "../../../db/shapes/money/journal.ts";
import { ledgerSource } from "../../../db/shapes/money/ledger-source.ts";
import { DAY_MS, type Cents, type DurationMs } from "../../../db/shapes/units.ts";
import type { Refund } from "../refunds.ts";

type Posting = Partial<Record<JournalAccount, number>>;
type Settled = {
  ledger: Pick<PaymentLedger, "refunds" | "disputes">;
  change: Omit<PaymentChange, "journal">;
  refunds: readonly Refund[];
};

/**
 * The double entries of the money of a payment's change, to be written in its batch: each entry's lines add up to nothing.
 * Debits are positive. Days and points are booked by the triggers of their ledgers. An entry's name has the payment's
 * revision, so that none is written twice.
 */
export function journalOf(payment: PaymentRow, settled: Settled): JournalLine[] {
  const { change } = settled;
  const entries: [name: string, unit: string, posting: Posting][] = [
    ...(payment.settledAt === null && change.settledAt !== null
      ? [["paid", payment.currency, paidPosting(payment)] as [string, string, Posting]]
      : []),
    ["fee", payment.currency, feePosting((change.processorFeeCents ?? 0) - (payment.processorFeeCents ?? 0))],
    ...disputePostings(payment, settled),
    ...refundPostings(payment, settled),
  ];
  return entries.flatMap(([name, unit, posting]) => toLines(payment, { name, unit, posting }));
}

function toLines(
  { id: paymentId, revision }: PaymentRow,
  { name, unit, posting }: { name: string; unit: string; posting: Posting },
): JournalLine[] {
  const lines = Object.entries(posting) as [JournalAccount, number][];
  return lines
    .filter(([, amount]) => amount !== 0)
    .map(([account, amount]) => {
      return { entry: `${paymentId}:${revision}:${name}`, account, unit, amount: amount + 0, paymentId };
    });
}

/** The tax that a part of a payment includes, rounded half up. */
export function taxOf({ taxMillionths }: Pick<PaymentRow, "taxMillionths">, cents: Cents): Cents {
  const whole = 1_000_000 + (taxMillionths ?? 0);
  return Math.floor((2 * cents * (taxMillionths ?? 0) + whole) / (2 * whole));
}

/** The worth of so much of a payment's service, of its money without tax. */
export function worthOf(payment: PaymentRow, durationMs: DurationMs): Cents {
  const netCents = payment.totalCents - taxOf(payment, payment.totalCents);
  return Math.round((netCents * durationMs) / (PLAN_DAYS[payment.plan] * DAY_MS));
}

function paidPosting(payment: PaymentRow): Posting {
  const { totalCents } = payment;
  const taxCents = taxOf(payment, totalCents);
  return { stripe: totalCents, tax: -taxCents, service_owed: taxCents - totalCents };
}

function feePosting(cents: Cents): Posting {
  return { fees: cents, stripe: -cents };
}

/** Money that Stripe holds while a dispute is open, gives back where it is won, and what it takes for it. */
function disputePostings({ currency }: PaymentRow, { ledger, change }: Settled): [string, string, Posting][] {
  return change.disputes.flatMap(({ id, status, cents, feeCents }) => {
    const known = ledger.disputes.find((one) => one.id === id);
    const held = isHeld(status) ? cents : 0;
    const heldBefore = known && isHeld(known.status) ? known.cents : 0;
    // A lost dispute's money leaves by its refund; until that is booked it is held.
    const isDecided = status === "lost" || known?.status === "lost";
    const hasTaken = ledger.refunds.some((refund) => refund.id === id && refund.isEffective);
    const moved = isDecided ? heldOfLost(status, { cents, heldBefore, hasTaken }) : held - heldBefore;
    return [
      [`${id}:held`, currency, { disputes_held: moved, stripe: -moved }],
      [`${id}:fee`, currency, feePosting(feeCents - (known?.feeCents ?? 0))],
    ];
  });
}

/** Whether a dispute is open, so that Stripe holds its money. */
export function isHeld(status: string): boolean {
  return status === "needs_response" || status === "under_review";
}

/** A lost dispute held its money before it took it; one that is won after that is given back what it took. */
function heldOfLost(
  status: string,
  { cents, heldBefore, hasTaken }: { cents: Cents; heldBefore: Cents; hasTaken: boolean },
): Cents {
  if (status === "other" || status === "prevented") return 0;
  if (status === "lost") return hasTaken ? 0 : cents - heldBefore;
  return isHeld(status) ? 0 : -cents;
}

function findDispute({ disputes }: Settled["ledger"], id: string) {
  return disputes.find((known) => known.id === id);
}

/** The tax of what is kept of a payment: after several refunds too, it is that of the rest to the cent. */
function taxKept(payment: PaymentRow, effective: ReadonlyMap<string, Cents>): Cents {
  const back = [...effective.values()].reduce((total, cents) => total + cents, 0);
  return taxOf(payment, Math.max(0, payment.totalCents - back));
}

/** The entries of refunds and lost disputes: each takes of tax, of service owed and of revenue, or gives back. */
function refundPostings(
  payment: PaymentRow,
  { ledger, change, refunds }: Settled,
): [string, string, Posting][] {
  const timeOf = (refund: { id: string }, undone = "") =>
    change.credits.find(({ source }) => source === `${ledgerSource(payment, refund.id)}${undone}`)
      ?.durationMs ?? 0;
  const effective = new Map(
    ledger.refunds.map(({ id, isEffective, cents }) => [id, isEffective ? cents : 0] as const),
  );
  const booked = change.refunds.flatMap((refund): [string, string, Posting][] => {
    const before = taxKept(payment, effective);
    effective.set(refund.id, refund.isEffective ? refund.cents : 0);
    const wasEffective = ledger.refunds.some(({ id, isEffective }) => id === refund.id && isEffective);
    if (refund.isEffective === wasEffective) return [];
    const sign = refund.isEffective ? 1 : -1;
    const timeMs = refund.isEffective ? -timeOf(refund) : timeOf(refund, ":undone");
    const taxCents = sign * (before - taxKept(payment, effective));
    const serviceCents = worthOf(payment, timeMs);
    const rest = refund.cents - taxCents - serviceCents;
    const isGoodwill = refunds.some(({ id, isGoodwill: kept }) => id === refund.id && kept);
    const now = change.disputes.find(({ id }) => id === refund.id) ?? findDispute(ledger, refund.id);
    const deciding = refund.isEffective ? now : findDispute(ledger, refund.id);
    // Only a dispute that was lost took what was held; one that was prevented, or is appealed, moved the money itself.
    const from: JournalAccount = deciding?.status === "lost" ? "disputes_held" : "stripe";
    const to: JournalAccount =
      refund.kind === "dispute" ? "dispute_losses" : isGoodwill ? "goodwill" : "revenue";
    const posting = { [from]: -refund.cents, tax: taxCents, service_owed: serviceCents, [to]: rest };
    return [
      [
        refund.id,
        payment.currency,
        Object.fromEntries(Object.entries(posting).map(([account, amount]) => [account, sign * amount])),
      ],
    ];
  });
  // A refund that stands, of which the driver keeps the days after all.
  const kept = refunds.flatMap((refund): [string, string, Posting][] => {
    const known = ledger.refunds.find(({ id }) => id === refund.id);
    const isBooked = known?.isEffective !== refund.isEffective;
    const cents = isBooked ? 0 : worthOf(payment, timeOf(refund, ":undone"));
    return [[`${refund.id}:kept`, payment.currency, { goodwill: cents, service_owed: -cents }]];
  });
  return [...booked, ...kept];
}
