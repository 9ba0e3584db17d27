import type { DriverRecord } from "../../db/queries/accounts/drivers.ts";
import {
  loadCustomerId,
  loadLastPaymentId,
  loadPaymentInProgress,
} from "../../db/queries/payments/payments.ts";
import { loadPromotions } from "../../db/queries/payments/discounts.ts";
import { loadSpot } from "../../db/queries/spots/spots.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import { RENEWAL_WORDS } from "../../db/shapes/money/renewal.ts";
import type { PrepareInput, PrepareResponse, Quote, RenewalConsent } from "../contract/money/payments.ts";
import { type CheckoutContext, loadPause } from "./checkout.ts";
import { prepareIntent } from "./prepare.ts";
import { loadPriceFacts, priceBy, toQuote } from "./prices/quote.ts";

/** A payment that is ready for the card or settled, or the code of why there is none. */
export type PreparedPayment =
  | { ok: true; response: PrepareResponse }
  | {
      ok: false;
      code:
        | "waiting_for_spot"
        | "not_linked"
        | "already_paid"
        | "points_short"
        | "price_changed"
        | "cards_unavailable"
        | "payment_processing"
        | "payments_paused"
        | "conflict";
      /** When a paused driver may go on. */
      retryAt?: number;
    };

/** The facts that preparing a payment begins with. */
export async function loadPrepareFacts(
  { db, deps }: Pick<CheckoutContext, "db" | "deps">,
  driverId: DriverId,
) {
  const now = deps.now();
  const [spot, prices, promotions, pausedUntil, lastPaymentId, current, customerId] = await Promise.all([
    loadSpot(db, driverId),
    loadPriceFacts({ db, deps }, driverId),
    loadPromotions(db, now),
    loadPause(db, driverId, now),
    loadLastPaymentId(db, driverId),
    loadPaymentInProgress(db, driverId),
    loadCustomerId(db, driverId),
  ]);
  return { spot, prices, promotions, pausedUntil, lastPaymentId, current, customerId };
}

/**
 * Prepares the payment that the driver agreed to: for the total that they saw, and no other.
 * @param facts what was just read, or is read first
 * @param noted what is being stored meanwhile, and must be before anything is paid
 * @throws {CardProcessorError} `unreachable`: repeating it is safe
 */
export async function preparePayment(
  checkout: CheckoutContext,
  driver: DriverRecord,
  {
    totalCents,
    lastPaymentId: knownPaymentId,
    priceId = null,
    renewal = null,
    savesCard = false,
    currency = checkout.deps.config.currency,
    noted,
    facts,
    ...input
  }: PrepareInput & { noted?: Promise<void>; facts?: Awaited<ReturnType<typeof loadPrepareFacts>> },
): Promise<PreparedPayment> {
  const { db, deps } = checkout;
  const driverId = driver.row.id;
  if (driver.profile.waitingForSpot) return { ok: false, code: "waiting_for_spot" };
  const [read] = await Promise.all([facts ?? loadPrepareFacts(checkout, driverId), noted]);
  const { spot, promotions, pausedUntil, lastPaymentId, current, customerId } = read;
  const { order, orderWithAllPoints } = priceBy(checkout, read.prices, { ...input, priceId });
  if (spot.isAnyCityLimited && spot.row === null) return { ok: false, code: "not_linked" };
  if (lastPaymentId !== knownPaymentId) return { ok: false, code: "already_paid" };
  if (order.currency !== currency) return { ok: false, code: "price_changed" };
  if (order.totalCents !== totalCents) {
    // If the points went into another payment meanwhile, the driver hears of that payment.
    if ((await loadLastPaymentId(db, driverId)) !== knownPaymentId)
      return { ok: false, code: "already_paid" };
    const lacksPoints = orderWithAllPoints.totalCents === totalCents;
    return { ok: false, code: lacksPoints ? "points_short" : "price_changed" };
  }
  // The driver's new service is computed before a payment without a card changes it.
  const quote = toQuote(checkout, driver, { order, promotions });
  if (renewal && !isCurrentConsent(renewal, quote)) return { ok: false, code: "price_changed" };
  if (totalCents > 0 && !deps.config.cards) return { ok: false, code: "cards_unavailable" };
  if (totalCents > 0 && pausedUntil !== null)
    return { ok: false, code: "payments_paused", retryAt: pausedUntil };
  const request = { driver, order, knownPaymentId, renewal, savesCard, known: { current, customerId } };
  const prepared = await prepareIntent(checkout, request);
  switch (prepared.kind) {
    case "ready": {
      const { payment, clientSecret } = prepared;
      return { ok: true, response: { paymentId: payment.id, clientSecret, quote } };
    }
    case "settled": {
      const { payment } = prepared;
      const paidQuote = toQuote(checkout, driver, { order: payment, promotions });
      return { ok: true, response: { paymentId: payment.id, clientSecret: null, quote: paidQuote } };
    }
    case "points_short":
      // Without points it was the spot: it went to somebody else in this instant.
      return { ok: false, code: order.points > 0 ? prepared.kind : "conflict" };
    case "already_paid":
    case "payment_processing":
      return { ok: false, code: prepared.kind };
    case "busy":
      return { ok: false, code: "conflict" };
  }
}

/** Whether a driver agreed to what renewal means now. Points keep no card, so they can't renew. */
function isCurrentConsent({ capCents, words }: RenewalConsent, quote: Quote): boolean {
  return capCents === quote.renewalCapCents && words === RENEWAL_WORDS && quote.totalCents > 0;
}
