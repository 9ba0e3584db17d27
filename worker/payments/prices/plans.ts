import { loadDiscounts, loadPromotions } from "../../../db/queries/payments/discounts.ts";
import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { loadLastPaymentId, loadPaymentInProgress } from "../../../db/queries/payments/payments.ts";
import { loadPriceHistory } from "../../../db/queries/payments/plan-prices.ts";
import { loadSpendablePoints } from "../../../db/queries/rewards/points.ts";
import { MIN_CHARGE_CENTS } from "../../../db/shapes/money/currencies.ts";
import type { PlansResponse } from "../../contract/money/payments.ts";
import { areCardsReady } from "../card-readiness.ts";
import type { CheckoutContext } from "../checkout.ts";
import { loadPause } from "../declines.ts";
import { pricesAt } from "./list-prices.ts";
import { toPaymentInProgress } from "../payment-history.ts";
import { openRaffles, pricePlans } from "./prices.ts";

/** The plans that are for sale, at a driver's prices now, and what the driver needs to choose one. */
export async function listPlans(
  checkout: CheckoutContext,
  { row, profile }: DriverRecord,
): Promise<PlansResponse> {
  const { deps, db } = checkout;
  const now = deps.now();
  const { currency, paymentMethods, bankFeeMillionths: feeMillionths } = deps.config;
  const minChargeCents = MIN_CHARGE_CENTS[currency];
  const [history, discounts, points, promotions, lastPaymentId, inProgress, pausedUntil, cardsReady] =
    await Promise.all([
      loadPriceHistory(db, minChargeCents),
      loadDiscounts(db, { driverId: row.id, now }),
      loadSpendablePoints(db, row.id),
      loadPromotions(db, now),
      loadLastPaymentId(db, row.id),
      loadPaymentInProgress(db, row.id),
      loadPause(db, row.id, now),
      areCardsReady(checkout),
    ]);
  const plans = pricePlans({ prices: pricesAt(history, now), discounts, minChargeCents }, now);
  const raffles = openRaffles(promotions, plans);
  return {
    currency,
    cardsReady,
    paymentMethods,
    minChargeCents,
    feeMillionths,
    points,
    plans,
    serviceUntil: profile.serviceUntil,
    lastPaymentId,
    inProgress: inProgress && toPaymentInProgress(inProgress),
    pausedUntil,
    raffle: (cardsReady ? raffles[0] : null) ?? null,
  };
}
