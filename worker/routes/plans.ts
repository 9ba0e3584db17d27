import { Hono } from "hono";
import { readLastPaymentId } from "../../db/queries/payments.ts";
import { readSpendablePoints } from "../../db/queries/points.ts";
import { readCuts, readPromotions } from "../../db/queries/price-cuts.ts";
import { PLANS_FOR_SALE, type PlansAnswer } from "../contract/payments.ts";
import type { App } from "../http/context.ts";
import { pricePlans } from "../payments/prices.ts";
import { callersRecord } from "./driver.ts";

/** The plans that are for sale, at the caller's prices now. */
export const plans = new Hono<App>().get("/", async (c) => {
  const { db, deps, caller } = c.var;
  const now = deps.now();
  const { profile } = await callersRecord(c);
  const [cuts, points, promotions, lastPaymentId] = await Promise.all([
    readCuts(db, { driverId: caller.driverId, now }),
    readSpendablePoints(db, caller.driverId),
    readPromotions(db, now),
    readLastPaymentId(db, caller.driverId),
  ]);
  const raffles = promotions.flatMap(({ plan, endsAt, winners }) => {
    const sold = PLANS_FOR_SALE.find((candidate) => candidate === plan);
    return sold ? [{ plan: sold, endsAt, winners }] : [];
  });
  const answer: PlansAnswer = {
    currency: deps.config.currency,
    cardsReady: deps.config.cards !== null,
    points,
    plans: pricePlans(cuts, now),
    serviceUntil: profile.serviceUntil,
    lastPaymentId,
    raffle: raffles[0] ?? null,
  };
  return c.json(answer, 200);
});
