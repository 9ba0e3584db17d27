import { canRefund, loadPaymentForRefund } from "../../db/queries/operators/driver.ts";
import {
  accessEffects,
  endPriceEffects,
  isAccount,
  isOwnPrice,
  loadOwnPrice,
  isRecordUnchanged,
  orderEffects,
  pointEffects,
  pointFacts,
  serviceEffects,
  signOutEffects,
  specialPriceEffects,
} from "../../db/queries/operators/effects.ts";
import { hasRecord } from "../../db/queries/accounts/has-record.ts";
import { loadDriver, type DriverRecord } from "../../db/queries/accounts/drivers.ts";
import { loadPriceHistory } from "../../db/queries/payments/plan-prices.ts";
import { findPoolUser } from "../../db/queries/identity/pool-users.ts";
import { findTextOf } from "../../db/queries/texts/delivery.ts";
import { hasTextFailed } from "../../db/shapes/text-delivery.ts";
import { listLiveSessions } from "../../db/queries/identity/sessions.ts";
import { loadPointsLedger } from "../../db/queries/rewards/rewards.ts";
import {
  serviceLedgerQuery,
  readServiceLedger,
  type ServiceEntry,
} from "../../db/queries/payments/service-time.ts";
import { MIN_CHARGE_CENTS } from "../../db/shapes/money/currencies.ts";
import { isPauseGrant } from "../../db/shapes/money/pause.ts";
import { DAY_MS, type DriverId, type EpochMs } from "../../db/shapes/units.ts";
import type { DriverAct } from "../contract/console/operator-acts.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { pricesAt } from "../payments/prices/list-prices.ts";
import type { ConsoleContext, ActPlan, Target } from "./acts.ts";
import {
  requireOwnPool,
  planCheckOfPayment,
  planEndOfRenewal,
  planErasure,
  planNumber,
  planUnlock,
  requireNothingPaid,
} from "./support-plans.ts";
import { dayWorth, worthOfDays, worthOfPoints, worthOfPrice } from "./worth.ts";

type ActOf<Name extends DriverAct["act"]> = Extract<DriverAct, { act: Name }>;
/** The longest that support gives a driver a price of their own. */
const SUPPORT_PRICE_MS = 90 * DAY_MS;

/** How an act changes a driver. Each plan throws where the act makes no sense as things stand. */
export function planOf(target: Target, input: DriverAct): ActPlan {
  switch (input.act) {
    case "days":
      return () => planDays(target, input);
    case "points":
      return () => planPoints(target, input);
    case "refund":
      return () => planRefund(target, input);
    case "special_price":
      return () => planSpecialPrice(target, input);
    case "end_price":
      return () => planEndOfPrice(target, input);
    case "sign_out":
      return () => planSignOut(target);
    case "unlink":
      return () => planUnlink(target);
    case "disable":
    case "enable":
      return () => planAccess(target, input.act === "enable");
    case "resend_text":
      return () => planResend(target, input);
    case "check_payment":
      return () => planCheckOfPayment(target, input);
    case "end_renewal":
      return () => planEndOfRenewal(target);
    case "unlock":
      return () => planUnlock(target);
    case "change_number":
      return () => planNumber(target, input);
    case "erase":
      return () => planErasure(target);
    case "test_text":
    case "show_phone":
    case "export_data":
      return () => planWord(target);
  }
}

/**
 * A driver's record.
 * @throws {ApiError} `not_found`
 */
export async function loadRecord({ db }: ConsoleContext, driverId: DriverId): Promise<DriverRecord> {
  const record = await loadDriver(db, driverId);
  if (!record) throw new ApiError("not_found");
  return record;
}

async function planDays(target: Target, { days }: ActOf<"days">): ReturnType<ActPlan> {
  const { context, driverId, id } = target;
  const { db, deps } = context;
  if (days > 0) await requireNothingPaid(target);
  const { row } = await loadRecord(context, driverId);
  const ledger = await serviceLedgerQuery(db, driverId);
  const now = deps.now();
  const entry = { source: `operator:${id}`, durationMs: days * DAY_MS };
  const before = readServiceLedger(ledger, now);
  // A pause is no service, and gives none up.
  const service = [...before.unusedMs].filter(([grant]) => !isPauseGrant(grant));
  const unusedMs = service.reduce((total, [, ms]) => total + ms, 0);
  if (-entry.durationMs > unusedMs) throw new ApiError("invalid_request", { fields: { days: "too_large" } });
  const after = readServiceLedger([...ledger, { ...entry, at: lastAt(ledger, now) }], now);
  return {
    before: { serviceUntil: before.until },
    after: { serviceUntil: after.until },
    worthCents: worthOfDays(days, await loadDayWorth(context)),
    condition: isRecordUnchanged(row),
    effects: (where) => serviceEffects(db, { driverId, now, where }, entry),
  };
}

function lastAt(ledger: readonly ServiceEntry[], now: EpochMs): EpochMs {
  return Math.max(now, ledger.at(-1)?.at ?? now);
}

async function planPoints(
  { context, driverId, id }: Target,
  { points }: ActOf<"points">,
): ReturnType<ActPlan> {
  const { db, deps } = context;
  await loadRecord(context, driverId);
  const { points: balance } = await loadPointsLedger(db, driverId);
  if (points < 0 && balance + points < 0) throw new ApiError("points_short");
  return {
    ...pointFacts(driverId, points),
    worthCents: worthOfPoints(points, await loadDayWorth(context)),
    effects: (where) =>
      pointEffects(db, { driverId, now: deps.now(), where }, { source: `operator:${id}`, points }),
  };
}

async function planRefund(
  { context, driverId, id }: Target,
  { paymentId, cents, keepsDays }: ActOf<"refund">,
): ReturnType<ActPlan> {
  const { db, deps, cards } = context;
  if (!cards) throw new ApiError("cards_unavailable");
  const payment = await loadPaymentForRefund(db, { driverId, id: paymentId });
  if (!payment || payment.intentId === null) throw new ApiError("not_found");
  const { status, currency, totalCents, refundedCents, orderedCents } = payment;
  if (status !== "settled" && status !== "partly_refunded") throw new ApiError("conflict");
  const givenBack = refundedCents + orderedCents;
  if (cents > totalCents - givenBack)
    throw new ApiError("invalid_request", { fields: { cents: "too_large" } });
  return {
    before: { refundedCents: givenBack, currency },
    after: { refundedCents: givenBack + cents, currency },
    worthCents: cents,
    condition: canRefund(payment, cents),
    effects: (where) =>
      orderEffects(
        db,
        { driverId, now: deps.now(), where },
        { id, kind: "refund", paymentId, cents, isGoodwill: keepsDays },
      ),
  };
}

async function planSpecialPrice(
  { context, driverId, id }: Target,
  { plan, priceCents, endsAt }: ActOf<"special_price">,
): ReturnType<ActPlan> {
  const { db, deps } = context;
  await loadRecord(context, driverId);
  const now = deps.now();
  const listCents = (await loadPrices(context))[plan].priceCents;
  if (priceCents >= listCents) throw new ApiError("invalid_request", { fields: { priceCents: "too_large" } });
  if (priceCents < MIN_CHARGE_CENTS[deps.config.currency])
    throw new ApiError("invalid_request", { fields: { priceCents: "too_small" } });
  if (endsAt <= now) throw new ApiError("invalid_request", { fields: { endsAt: "too_small" } });
  const lastsMs = endsAt - now;
  if (context.operator.role === "support" && lastsMs > SUPPORT_PRICE_MS)
    throw new ApiError("invalid_request", { fields: { endsAt: "too_large" } });
  return {
    before: { priceCents: listCents },
    after: { priceCents },
    worthCents: worthOfPrice({ plan, lastsMs, cutCents: listCents - priceCents }),
    condition: hasRecord(driverId),
    effects: (where) =>
      specialPriceEffects(
        db,
        { driverId, now, where },
        { id: `operator:${id}`, plan, priceCents, currency: deps.config.currency, endsAt },
      ),
  };
}

async function planEndOfPrice(
  { context, driverId }: Target,
  { discountId }: ActOf<"end_price">,
): ReturnType<ActPlan> {
  const { db, deps } = context;
  const now = deps.now();
  const price = await loadOwnPrice(db, { driverId, id: discountId, now });
  if (!price) throw new ApiError("not_found");
  return {
    before: { endsAt: price.endsAt },
    after: { endsAt: now },
    worthCents: 0,
    condition: isOwnPrice({ driverId, id: discountId, now }),
    effects: (where) => endPriceEffects(db, { driverId, now, where }, discountId),
  };
}

async function planSignOut({ context, driverId }: Target): ReturnType<ActPlan> {
  const { db, deps } = context;
  requireOwnPool(context);
  const now = deps.now();
  const sessions = await listLiveSessions(db, driverId, now);
  return {
    before: { sessions: sessions.length },
    after: { sessions: 0 },
    worthCents: 0,
    condition: isAccount({ driverId }),
    effects: (where) => signOutEffects(db, { driverId, now, where }),
  };
}

async function planUnlink({ context, driverId, id }: Target): ReturnType<ActPlan> {
  const { db, deps } = context;
  const { row } = await loadRecord(context, driverId);
  if (!row.proxyInstalled) throw new ApiError("not_linked");
  return {
    before: { isLinked: true },
    after: { isLinked: false },
    worthCents: 0,
    condition: isRecordUnchanged(row),
    effects: (where) => orderEffects(db, { driverId, now: deps.now(), where }, { id, kind: "unlink" }),
  };
}

async function planAccess({ context, driverId }: Target, isEnabled: boolean): ReturnType<ActPlan> {
  const { db, deps } = context;
  requireOwnPool(context);
  const account = await findPoolUser(db, driverId);
  if (!account) throw new ApiError("not_found");
  // It is so already: nothing is left to do.
  if (account.enabled === isEnabled) throw new ApiError("conflict");
  return {
    before: { isEnabled: !isEnabled },
    after: { isEnabled },
    worthCents: 0,
    condition: isAccount({ driverId, isEnabled: !isEnabled }),
    effects: (where) => accessEffects(db, { driverId, now: deps.now(), where }, isEnabled),
  };
}

/** A text that is sent again did not arrive, its number is still the driver's, and it is news of theirs, not a code. */
async function planResend(target: Target, { textId }: ActOf<"resend_text">): ReturnType<ActPlan> {
  const { context, driverId } = target;
  await loadFailedTextNumber(context, { driverId, textId });
  if (!(await context.deps.driver(driverId).keepsText(textId)))
    throw new ApiError("invalid_request", { fields: { textId: "invalid" } });
  return planWord(target);
}

/**
 * The number that a text of a driver's did not reach.
 * @throws {ApiError} `not_found` for no text of theirs, `conflict` where it has not failed or the number is theirs no more
 */
export async function loadFailedTextNumber(
  context: ConsoleContext,
  { driverId, textId }: { driverId: DriverId; textId: string },
): Promise<string> {
  const text = await findTextOf(context.db, { driverId, id: textId });
  if (!text) throw new ApiError("not_found");
  const { phoneNumber, preferredPhoneNumber, preferredPhoneVerified } = (await loadRecord(context, driverId))
    .row;
  const isTheirs =
    text.phoneNumber === phoneNumber || (preferredPhoneVerified && text.phoneNumber === preferredPhoneNumber);
  if (!isTheirs || !hasTextFailed(text.status)) throw new ApiError("conflict");
  return text.phoneNumber;
}

/** An act that changes nothing in the database: the log alone. */
async function planWord({ context, driverId }: Target): ReturnType<ActPlan> {
  await loadRecord(context, driverId);
  return { before: {}, after: {}, worthCents: 0, condition: hasRecord(driverId), effects: () => [] };
}

/** The list prices now. */
export async function loadPrices({ db, deps }: ConsoleContext) {
  return pricesAt(await loadPriceHistory(db, deps.config), deps.now());
}

async function loadDayWorth(context: ConsoleContext) {
  return dayWorth(await loadPrices(context), MIN_CHARGE_CENTS[context.deps.config.currency]);
}
