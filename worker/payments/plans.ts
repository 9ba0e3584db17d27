import { loadDiscounts, loadPromotions } from "../../db/queries/discounts.ts";
import type { DriverRecord } from "../../db/queries/drivers.ts";
import { loadLastPaymentId } from "../../db/queries/payments.ts";
import { loadSpendablePoints } from "../../db/queries/points.ts";
import { PLANS_FOR_SALE } from "../../db/shapes/plans.ts";
import type { PlansResponse } from "../contract/payments.ts";
import type { CheckoutContext } from "./checkout.ts";
import { pricePlans } from "./prices.ts";

/** The plans that are for sale, at a driver's prices now, and what the driver needs to choose one. */
export async function listPlans(
  { deps, db }: Pick<CheckoutContext, "deps" | "db">,
  { row, profile }: DriverRecord,
): Promise<PlansResponse> {
  const now = deps.now();
  const [discounts, points, promotions, lastPaymentId] = await Promise.all([
    loadDiscounts(db, { driverId: row.id, now }),
    loadSpendablePoints(db, row.id),
    loadPromotions(db, now),
    loadLastPaymentId(db, row.id),
  ]);
  const raffles = promotions.flatMap(({ plan, endsAt, winners }) => {
    const sold = PLANS_FOR_SALE.find((candidate) => candidate === plan);
    return sold ? [{ plan: sold, endsAt, winners }] : [];
  });
  return {
    currency: deps.config.currency,
    cardsReady: deps.config.cards !== null,
    points,
    plans: pricePlans(discounts, now),
    serviceUntil: profile.serviceUntil,
    lastPaymentId,
    raffle: raffles[0] ?? null,
  };
}
