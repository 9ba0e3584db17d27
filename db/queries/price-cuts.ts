import { and, asc, eq, gt, isNull, lte, or } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../durable/engine/units.ts";
import type { Db } from "../client.ts";
import { priceCuts, promotions } from "../money-schema.ts";

type At = { driverId: DriverId; now: EpochMs };

/** The lower prices that hold for a driver now: everybody's, and their own. */
export function readCuts(db: Db, { driverId, now }: At) {
  const isTheirs = or(isNull(priceCuts.driverId), eq(priceCuts.driverId, driverId));
  return db
    .select()
    .from(priceCuts)
    .where(and(gt(priceCuts.endsAt, now), lte(priceCuts.startsAt, now), isTheirs));
}

/** The raffles that a full payment would enter now, the one that ends first before the others. */
export function readPromotions(db: Db, now: EpochMs) {
  return db
    .select({ plan: promotions.plan, endsAt: promotions.endsAt, winners: promotions.winners })
    .from(promotions)
    .where(and(lte(promotions.startsAt, now), gt(promotions.endsAt, now)))
    .orderBy(asc(promotions.endsAt));
}
