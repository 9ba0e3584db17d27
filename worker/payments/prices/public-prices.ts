import { loadPriceHistory } from "../../../db/queries/payments/plan-prices.ts";
import { MIN_CHARGE_CENTS } from "../../../db/shapes/money/currencies.ts";
import { SEED_PRICES, type PlanPrices } from "../../../db/shapes/money/plans.ts";
import { pricesAt, toPlanPrices } from "./list-prices.ts";
import { perMinute } from "../../../durable/per-minute.ts";

/** The list prices that the public pages show; a minute old at most. */
export const loadPublicPrices = perMinute<PlanPrices>(async ({ config, db, now }) => {
  const history = await loadPriceHistory(db, MIN_CHARGE_CENTS[config.currency]);
  return toPlanPrices(pricesAt(history, now()));
}, SEED_PRICES);
