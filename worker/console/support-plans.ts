import {
  canChangeNumber,
  changeNumberEffects,
  isNumberTaken,
  loadLocks,
  unlockEffects,
} from "../../db/queries/operators/account-effects.ts";
import { hasRecord } from "../../db/queries/accounts/has-record.ts";
import { isAccount, orderEffects } from "../../db/queries/operators/effects.ts";
import { listUnsettledPayments, loadPaymentForRefund } from "../../db/queries/operators/driver.ts";
import { findPoolUser } from "../../db/queries/identity/pool-users.ts";
import { loadPaymentInProgress } from "../../db/queries/payments/payments.ts";
import { isRenewalUnchanged, loadRenewal, turnOffStatements } from "../../db/queries/payments/renewals.ts";
import { DAY_MS, type DriverId } from "../../db/shapes/units.ts";
import { abandonRenewal } from "../payments/renewals/renewal-charge.ts";
import type { DriverAct } from "../contract/console/operator-acts.ts";
import { recordRenewal } from "../payments/renewals/record-renewal.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { settleIntent } from "../payments/settle-intent.ts";
import type { ConsoleContext, ActPlan, Target } from "./acts.ts";

type ActOf<Name extends DriverAct["act"]> = Extract<DriverAct, { act: Name }>;

/** How old a payment may be that could still turn out to be paid. */
const UNSETTLED_MS = 14 * DAY_MS;

/**
 * Asks Stripe about one payment and settles it by the answer, before the line is written: it says how the payment stood before
 * and after. Settling twice changes nothing.
 */
export async function planCheckOfPayment(
  { context, driverId }: Target,
  { paymentId }: ActOf<"check_payment">,
): ReturnType<ActPlan> {
  const { db, cards } = context;
  if (!cards) throw new ApiError("cards_unavailable");
  const payment = await loadPaymentForRefund(db, { driverId, id: paymentId });
  if (!payment) throw new ApiError("not_found");
  if (payment.intentId === null) throw new ApiError("conflict");
  const settled = await settleIntent({ ...context, cards }, payment.intentId);
  return {
    before: { status: payment.status },
    after: { status: settled?.payment.status ?? payment.status },
    worthCents: 0,
    condition: hasRecord(driverId),
    effects: () => [],
  };
}

/**
 * Settles what a driver may have paid for, before days are given by hand: else they would get both.
 * @throws {ApiError} `conflict` where a payment has just gone through: the service is there now
 */
export async function requireNothingPaid({ context, driverId }: Target): Promise<void> {
  const { db, deps, cards } = context;
  if (!cards) return;
  const unsettled = await listUnsettledPayments(db, driverId, deps.now() - UNSETTLED_MS);
  for (const { intentId } of unsettled) {
    const settled = intentId === null ? null : await settleIntent({ ...context, cards }, intentId);
    if (settled?.payment.settledAt) throw new ApiError("conflict");
  }
}

/** Turns a renewal off, as its driver can. */
export async function planEndOfRenewal({ context, driverId }: Target): ReturnType<ActPlan> {
  const { db, deps } = context;
  const renewal = await loadRenewal(db, driverId);
  if (!renewal) throw new ApiError("not_found");
  if (renewal.status === "off") throw new ApiError("conflict");
  await recordRenewal(deps, driverId, false);
  return {
    before: { status: renewal.status },
    after: { status: "off" },
    worthCents: 0,
    condition: isRenewalUnchanged(renewal),
    effects: (where) => turnOffStatements(db, driverId, { now: deps.now(), where }),
  };
}

/** Ends a charge that is under way for the renewal, if the bank still allows that. */
export async function abandonCharge(context: ConsoleContext, driverId: DriverId): Promise<void> {
  const { cards, db } = context;
  if (cards) await abandonRenewal({ ...context, cards }, await loadPaymentInProgress(db, driverId));
}

/** Forgets wrong guesses, which hold up sign-ins. */
export async function planUnlock({ context, driverId }: Target): ReturnType<ActPlan> {
  const { db, deps } = context;
  requireOwnPool(context);
  const now = deps.now();
  const { wrong, until } = await loadLocks(db, driverId, now);
  if (wrong === 0 && until === null) throw new ApiError("conflict");
  return {
    before: { wrong, lockedUntil: until },
    after: { wrong: 0, lockedUntil: null },
    worthCents: 0,
    condition: isAccount({ driverId }),
    effects: (where) => unlockEffects(db, { driverId, now, where }),
  };
}

/** Another number to sign in by. The log has its last four digits, and what was compared. */
export async function planNumber(
  { context, driverId }: Target,
  { phoneNumber: to }: ActOf<"change_number">,
): ReturnType<ActPlan> {
  const { db, deps } = context;
  requireOwnPool(context);
  const account = await findPoolUser(db, driverId);
  if (!account) throw new ApiError("not_found");
  const from = account.phoneNumber;
  if (from === to || (await isNumberTaken(db, { driverId, to })))
    throw new ApiError("invalid_request", { fields: { phoneNumber: "invalid" } });
  return {
    before: { end: from.slice(-4) },
    after: { end: to.slice(-4) },
    worthCents: 0,
    condition: canChangeNumber({ driverId, from, to }),
    effects: (where) => changeNumberEffects(db, { driverId, now: deps.now(), where }, { from, to }),
  };
}

/** Deletes the account and what it has, as its owner could: carried out until it is done. */
export async function planErasure({ context, driverId, id }: Target): ReturnType<ActPlan> {
  const { db, deps } = context;
  return {
    before: {},
    after: {},
    worthCents: 0,
    condition: hasRecord(driverId),
    effects: (where) => orderEffects(db, { driverId, now: deps.now(), where }, { id, kind: "erase" }),
  };
}

/** @throws {ApiError} `conflict` where another pool signs drivers in */
export function requireOwnPool({ deps }: ConsoleContext): void {
  if (deps.config.identity.kind !== "embedded") throw new ApiError("conflict");
}
