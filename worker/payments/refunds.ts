import type { PaymentChange } from "../../db/queries/payments/payment-changes.ts";
import type { PaymentLedger, PaymentRow } from "../../db/queries/payments/payments.ts";
import { readServiceLedger, type ServiceEntry } from "../../db/queries/payments/service-time.ts";
import type { ServiceChangeKind } from "../../db/shapes/profile.ts";
import { type Cents, type EpochMs, DAY_MS, type DurationMs } from "../../db/shapes/units.ts";
import { INVITATION_DAYS } from "../../db/shapes/money/rewards.ts";
import { ledgerSource } from "../../db/shapes/money/ledger-source.ts";
import { pointsEarned, serviceTimeOf } from "./prices/prices.ts";
import type { InvitationChange } from "../../db/queries/rewards/invitation-rewards.ts";
import type { PaymentStatus } from "../../db/shapes/money/plans.ts";

/** Money that went back: a refund, or a dispute. */
export type Refund = {
  id: string;
  kind: "refund" | "dispute";
  cents: Cents;
  at: EpochMs;
  /** False where a refund failed or was canceled, and where a dispute is not lost: the money is ours. */
  isEffective: boolean;
  /** The driver keeps days and points all the same. */
  isGoodwill: boolean;
};

/** The ledgers of a payment while its refunds are applied one by one. */
type Ledgers = { service: readonly ServiceEntry[]; points: ReadonlyMap<string, number> };

/**
 * Adds to a change what each refund takes back or, failed after all, gives back. A refund takes the same share of
 * the service time as of the money, but at most what is unused of its own payment, and that share of the points that
 * were earned beyond those spent; where more were spent, they come back by that share. It gives back exactly as much as
 * it took.
 */
export function applyRefunds(
  payment: PaymentRow,
  { ledger, refunds, change }: { ledger: PaymentLedger; refunds: readonly Refund[]; change: PaymentChange },
  now: EpochMs,
): void {
  for (const refund of inOrder(refunds)) {
    const ledgers: Ledgers = {
      service: [...ledger.service, ...change.credits.map((credit) => ({ ...credit, at: now }))],
      points: new Map([
        ...ledger.points,
        ...change.points.map(({ source, points }) => [source, points] as const),
      ]),
    };
    const entry = isRecorded(payment, refund, ledgers)
      ? returnEntry(payment, refund, ledgers)
      : takingEntry(payment, { refund, refunds, ledgers }, now);
    if (!entry) continue;
    const { source, durationMs, points, kind } = entry;
    change.credits = [...change.credits, { source, durationMs }];
    if (points !== 0) change.points = [...change.points, { source, points }];
    const money = { cents: refund.cents, currency: payment.currency };
    change.serviceChanges = [...change.serviceChanges, { source, kind, money, changedMs: durationMs }];
  }
}

type RefundEntry = { source: string; durationMs: number; points: number; kind: ServiceChangeKind };

/**
 * The days and points that a new refund takes beyond those of the refunds in effect; null if it failed before it took
 * anything. Of more than the payment nothing is taken, and what one could not take because of another, no later one takes
 * in its place: whichever of them fail, what was taken stays within the share of the money that is back.
 */
function takingEntry(
  payment: PaymentRow,
  { refund, refunds, ledgers }: { refund: Refund; refunds: readonly Refund[]; ledgers: Ledgers },
  now: EpochMs,
): RefundEntry | null {
  if (!refund.isEffective) return null;
  const source = ledgerSource(payment, refund.id);
  const kind = refund.kind === "dispute" ? "disputed" : "refunded";
  if (refund.isGoodwill) return { source, durationMs: 0, points: 0, kind };
  const inEffect = refunds.filter(
    (other) =>
      !other.isGoodwill && isRecorded(payment, other, ledgers) && !isReturned(payment, other, ledgers),
  );
  const before = inEffect.reduce((total, { cents }) => total + cents, 0);
  const after = before + refund.cents;
  const marginOf = (whole: number) => share(whole, after, payment) - share(whole, before, payment);
  const unusedMs = readServiceLedger(ledgers.service, now).unusedMs.get(ledgerSource(payment)) ?? 0;
  const whole = pointsOfAll(payment);
  const sign = Math.sign(whole);
  const left = Math.max(0, sign * (whole - pointsTaken(payment, refunds, ledgers)));
  return {
    source,
    durationMs: 0 - Math.min(marginOf(serviceTimeOf(payment.plan)), unusedMs),
    points: sign * Math.min(marginOf(Math.abs(whole)), left),
    kind,
  };
}

/**
 * The days and points that a refund gives back if it failed, or if the driver keeps them after all; null if it gives back
 * nothing.
 */
function returnEntry(payment: PaymentRow, refund: Refund, ledgers: Ledgers): RefundEntry | null {
  if (isReturned(payment, refund, ledgers)) return null;
  const source = ledgerSource(payment, refund.id);
  const { appliedMs } = readServiceLedger(ledgers.service);
  const durationMs = Math.abs(appliedMs.get(source) ?? 0);
  const points = 0 - (ledgers.points.get(source) ?? 0);
  const tookNothing = durationMs === 0 && points === 0;
  if (refund.isEffective && (!refund.isGoodwill || tookNothing)) return null;
  const failed = refund.kind === "dispute" ? "dispute_won" : "refund_failed";
  return { source: `${source}:undone`, durationMs, points, kind: refund.isEffective ? "days_kept" : failed };
}

function isRecorded(payment: PaymentRow, { id }: Refund, { service }: Ledgers): boolean {
  return service.some(({ source }) => source === ledgerSource(payment, id));
}

function isReturned(payment: PaymentRow, { id }: Refund, { service }: Ledgers): boolean {
  return service.some(({ source }) => source === `${ledgerSource(payment, id)}:undone`);
}

/** The points that a refund of all the money changes: those earned are taken, those spent come back. */
function pointsOfAll(payment: PaymentRow): number {
  return payment.points - pointsEarned(payment);
}

function pointsTaken(payment: PaymentRow, refunds: readonly Refund[], { points }: Ledgers): number {
  return refunds.reduce((total, { id }) => {
    const source = ledgerSource(payment, id);
    return total + (points.get(source) ?? 0) + (points.get(`${source}:undone`) ?? 0);
  }, 0);
}

/** The share of a whole that these cents are of what was paid, rounded down; at most the whole. */
function share(whole: number, cents: Cents, { totalCents }: PaymentRow): number {
  return Math.floor((whole * Math.min(cents, totalCents)) / totalCents);
}

/** The oldest first: the card processor lists them in any order. */
export function inOrder(refunds: readonly Refund[]): Refund[] {
  return refunds.toSorted((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

type FriendPayment = Pick<
  PaymentRow,
  | "status"
  | "settledAt"
  | "totalCents"
  | "plan"
  | "priceCents"
  | "discountKind"
  | "discountCents"
  | "pointsCents"
>;

/** A refund within this time after the payment takes its share of the inviter's free days. A lost dispute always does. */
const REFUND_WINDOW_MS: DurationMs = 14 * DAY_MS;

/**
 * The effect of a friend's payment on their inviter. Only money counts, at the list price or a sale's: a plan paid with
 * points or at a price of the driver's own grants nothing. Money that goes back takes the same share of the free time, all
 * of it takes all; a refund that is goodwill, or becomes that, takes nothing.
 */
export function invitationChange(
  payment: FriendPayment,
  {
    change,
    refunds,
    known = [],
  }: {
    change: Pick<PaymentChange, "status" | "settledAt"> & Partial<Pick<PaymentChange, "refunds">>;
    refunds: readonly Refund[];
    /** As they were stored before, if they were. */
    known?: readonly Pick<Refund, "id" | "isEffective">[];
  },
): InvitationChange | null {
  const { totalCents, settledAt } = payment;
  if (totalCents === 0 || change.settledAt === null || payment.discountKind === "special_price") return null;
  const backCents = refunds
    .filter((refund) => takesBack(payment, refund))
    .reduce((total, { cents }) => total + cents, 0);
  const isGone = backCents >= totalCents;
  const shareOf = (cents: Cents) => Math.floor((rewardOf(payment) * cents) / totalCents);
  // The money of one that took all may be goodwill after all, or not have gone back.
  const isKeptAfterAll = ({
    id,
    isEffective,
    isGoodwill,
  }: Pick<Refund, "id" | "isEffective" | "isGoodwill">) =>
    isEffective && isGoodwill && known.some((one) => one.id === id && one.isEffective);
  // Each has one of its own, so that whichever of them fails, the shares of the others stay taken.
  const shares = refunds.flatMap((refund) => {
    const { id, cents, isEffective } = refund;
    const isTaken = takesBack(payment, refund);
    return isTaken || !isEffective || isKeptAfterAll(refund)
      ? { id, isTaken, durationMs: shareOf(cents) }
      : [];
  });
  if (settledAt === null) return isGone ? null : { kind: "grant", rewardMs: rewardOf(payment), shares };
  const [was, is] = [isKept(payment.status), isKept(change.status)];
  const changed = change.refunds ?? [];
  if (was === is && changed.length === 0) return null;
  if (isGone) return { kind: "revoke" };
  const isLess = changed.some((refund) => !refund.isEffective || isKeptAfterAll(refund));
  if (!was && is) return { kind: "grant", rewardMs: rewardOf(payment), shares };
  if (!was && isLess) return { kind: "forgive", shares };
  return shares.length === 0 ? null : { kind: "share", shares };
}

/** The inviter's free time: never more than the friend's money bought at the plan's list price. */
function rewardOf({ plan, priceCents, discountCents, pointsCents }: FriendPayment): DurationMs {
  const boughtMs = Math.floor(
    (serviceTimeOf(plan) * (priceCents - discountCents - pointsCents)) / priceCents,
  );
  return Math.min(INVITATION_DAYS * DAY_MS, boughtMs);
}

function isKept(status: PaymentStatus): boolean {
  return status !== "refunded" && status !== "dispute_lost";
}

/** A refund takes its share within some days, a lost dispute whenever. */
function takesBack(
  { settledAt }: Pick<PaymentRow, "settledAt">,
  { kind, at, isEffective, isGoodwill }: Refund,
): boolean {
  if (!isEffective || isGoodwill) return false;
  return kind === "dispute" || at - (settledAt ?? at) <= REFUND_WINDOW_MS;
}
