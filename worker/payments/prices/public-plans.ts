import { loadDiscounts, loadPromotions } from "../../../db/queries/payments/discounts.ts";
import { MIN_CHARGE_CENTS } from "../../../db/shapes/money/currencies.ts";
import { PLANS_FOR_SALE, type PlanForSale, type PlanPrices } from "../../../db/shapes/money/plans.ts";
import { recordOf } from "../../../db/shapes/record-of.ts";
import type { Deps } from "../../../durable/deps.ts";
import type { PublicPlansResponse } from "../../contract/money/public-plans.ts";
import type { ListPrices } from "./list-prices.ts";
import { perMinute } from "../../../durable/per-minute.ts";
import { openRaffles, pricePlans, type PlanDiscount } from "./prices.ts";
import { loadPublicPrices } from "./public-prices.ts";

type Campaigns = { discounts: PlanDiscount[]; promotions: Awaited<ReturnType<typeof loadPromotions>> };

/** The sales that are for everybody, and the raffles; a minute old at most. Without the database there are none. */
const loadCampaigns = perMinute<Campaigns>(
  async ({ db, now }) => {
    const [discounts, promotions] = await Promise.all([
      loadDiscounts(db, { driverId: null, now: now() }),
      loadPromotions(db, now()),
    ]);
    return { discounts, promotions };
  },
  { discounts: [], promotions: [] },
);

/** The plans as the public pages show them. */
export async function listPublicPlans(deps: Deps): Promise<PublicPlansResponse> {
  const { currency, stripePublishableKey } = deps.config;
  const [prices, { discounts, promotions }] = await Promise.all([
    loadPublicPrices(deps),
    loadCampaigns(deps),
  ]);
  const now = deps.now();
  const minChargeCents = MIN_CHARGE_CENTS[currency];
  const plans = pricePlans({ prices: toListPrices(prices), discounts, minChargeCents }, now);
  const raffles = openRaffles(promotions, plans).filter(({ endsAt }) => now < endsAt);
  return {
    currency,
    plans: plans.map(({ pointsCost: _pointsCost, ...plan }) => plan),
    raffle: (stripePublishableKey === null ? null : raffles[0]) ?? null,
  };
}

function toListPrices(prices: PlanPrices): ListPrices {
  const of = (plan: PlanForSale) => ({ id: null, priceCents: prices[plan] });
  return recordOf(PLANS_FOR_SALE, of);
}
