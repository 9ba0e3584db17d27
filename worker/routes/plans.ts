import { Hono } from "hono";
import { loadLastPaymentId } from "../../db/queries/payments.ts";
import { loadSpendablePoints } from "../../db/queries/points.ts";
import { loadDiscounts, loadPromotions } from "../../db/queries/discounts.ts";
import { PLANS_FOR_SALE } from "../../db/shapes/plans.ts";
import type { PlansResponse } from "../contract/payments.ts";
import type { AppEnv } from "../http/app-env.ts";
import { pricePlans } from "../payments/prices.ts";
import { loadCallerRecord } from "./caller.ts";

/** The plans that are for sale, at the caller's prices now. */
export const planRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const { db, deps, caller } = c.var;
  const now = deps.now();
  const { profile } = await loadCallerRecord(c);
  const [discounts, points, promotions, lastPaymentId] = await Promise.all([
    loadDiscounts(db, { driverId: caller.driverId, now }),
    loadSpendablePoints(db, caller.driverId),
    loadPromotions(db, now),
    loadLastPaymentId(db, caller.driverId),
  ]);
  const raffles = promotions.flatMap(({ plan, endsAt, winners }) => {
    const sold = PLANS_FOR_SALE.find((candidate) => candidate === plan);
    return sold ? [{ plan: sold, endsAt, winners }] : [];
  });
  const response: PlansResponse = {
    currency: deps.config.currency,
    cardsReady: deps.config.cards !== null,
    points,
    plans: pricePlans(discounts, now),
    serviceUntil: profile.serviceUntil,
    lastPaymentId,
    raffle: raffles[0] ?? null,
  };
  return c.json(response, 200);
});
