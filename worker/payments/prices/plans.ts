import { loadDiscounts, loadPromotions } from "../../../db/queries/payments/discounts.ts";
import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { loadLastPaymentId, loadPaymentInProgress } from "../../../db/queries/payments/payments.ts";
import { loadPriceHistory, type PlanPriceRow } from "../../../db/queries/payments/plan-prices.ts";
import { loadSpendablePoints } from "../../../db/queries/rewards/points.ts";
import { MIN_CHARGE_CENTS } from "../../../db/shapes/money/currencies.ts";
import type { PlansResponse } from "../../contract/money/payments.ts";
import { areCardsReady } from "../stripe/key-health.ts";
import { type CheckoutContext, loadPause } from "../checkout.ts";
import { pricesAt, toPlanPrices } from "./list-prices.ts";
import { toPaymentInProgress } from "../payment-history.ts";
import { openRaffles, pricePlans, type PlanDiscount } from "./prices.ts";
import { SEED_PRICES, type PlanPrices } from "../../../db/shapes/money/plans.ts";
import type { Deps } from "../../../durable/deps.ts";
import type { PublicPlansResponse } from "../../contract/money/public-plans.ts";
import { perMinute } from "../../../durable/per-minute.ts";

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
      loadPriceHistory(db, deps.config),
      loadDiscounts(db, { driverId: row.id, currency, now }),
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

type Campaigns = { discounts: PlanDiscount[]; promotions: Awaited<ReturnType<typeof loadPromotions>> };

/** The sales that are for everybody, and the raffles; a minute old at most. Null if the database was never reached. */
const loadCampaigns = perMinute<Campaigns | null>(async ({ config, db, now }) => {
  const [discounts, promotions] = await Promise.all([
    loadDiscounts(db, { driverId: null, currency: config.currency, now: now() }),
    loadPromotions(db, now()),
  ]);
  return { discounts, promotions };
}, null);

/** The history of list prices; a minute old at most. Null if the database was never reached. */
const loadHistory = perMinute<PlanPriceRow[] | null>(({ config, db }) => loadPriceHistory(db, config), null);

/** The plans as the public pages show them; null where their prices aren't known, since an operator may have set others. */
export async function listPublicPlans(deps: Deps): Promise<PublicPlansResponse | null> {
  const { currency, stripePublishableKey } = deps.config;
  const [history, campaigns] = await Promise.all([loadHistory(deps), loadCampaigns(deps)]);
  if (!history || !campaigns) return null;
  const { discounts, promotions } = campaigns;
  const now = deps.now();
  const minChargeCents = MIN_CHARGE_CENTS[currency];
  const plans = pricePlans({ prices: pricesAt(history, now), discounts, minChargeCents }, now);
  const raffles = openRaffles(promotions, plans).filter(({ endsAt }) => now < endsAt);
  return {
    currency,
    plans: plans.map(({ pointsCost: _pointsCost, ...plan }) => plan),
    raffle: (stripePublishableKey === null ? null : raffles[0]) ?? null,
  };
}

/** The list prices now. A page of before can't do without: where they aren't known, those that the deployment began with. */
export async function loadPublicPrices(deps: Deps): Promise<PlanPrices> {
  const history = await loadHistory(deps);
  return history ? toPlanPrices(pricesAt(history, deps.now())) : (deps.config.listPrices ?? SEED_PRICES);
}
