import { and, asc, eq, gt, inArray, isNull, lte, or } from "drizzle-orm";
import { discountKind, plan } from "../../shapes/money/plans.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { discounts, promotions } from "../../schema/payments.ts";

/** Without a driver, only what is for everybody. */
type DiscountQuery = { driverId: DriverId | null; currency: string; now: EpochMs };

/** Discounts that apply to a driver now: those for everyone and the driver's own. Rows with an unknown kind or plan are ignored, since operators write them by hand. */
export function loadDiscounts(db: Db, { driverId, currency, now }: DiscountQuery) {
  const isForAll = isNull(discounts.driverId);
  const isTheirs = driverId === null ? isForAll : or(isForAll, eq(discounts.driverId, driverId));
  return db
    .select()
    .from(discounts)
    .where(
      and(
        gt(discounts.endsAt, now),
        lte(discounts.startsAt, now),
        isTheirs,
        eq(discounts.currency, currency),
        inArray(discounts.kind, discountKind.options),
        inArray(discounts.plan, plan.options),
      ),
    );
}

/** Raffles that a full payment would enter now, the first to end first. */
export function loadPromotions(db: Db, now: EpochMs) {
  return db
    .select({
      id: promotions.id,
      plan: promotions.plan,
      endsAt: promotions.endsAt,
      winners: promotions.winners,
    })
    .from(promotions)
    .where(
      and(
        lte(promotions.startsAt, now),
        gt(promotions.endsAt, now),
        isNull(promotions.closedAt),
        isNull(promotions.seed),
      ),
    )
    .orderBy(asc(promotions.endsAt));
}
