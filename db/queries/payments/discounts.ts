import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, or, sql } from "drizzle-orm";
import { discountKind, plan, usesOfPrice } from "../../shapes/money/plans.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { qualified } from "../../expressions.ts";
import { discounts, payments, promotions } from "../../schema/payments.ts";

/** Without a driver, only what is for everybody. */
type DiscountQuery = { driverId: DriverId | null; currency: string; now: EpochMs };

/**
 * Discounts that apply to a driver now: those for everyone and the driver's own, until that is used up: it was counted by how
 * often it can be used. Rows with an unknown kind or plan are ignored, since operators write them by hand.
 */
export async function loadDiscounts(db: Db, { driverId, currency, now }: DiscountQuery) {
  const isForAll = isNull(discounts.driverId);
  const isTheirs = driverId === null ? isForAll : or(isForAll, eq(discounts.driverId, driverId));
  const uses = qualified(
    sql<number>`(SELECT count(*) FROM ${payments} WHERE ${payments.driverId} = ${discounts.driverId}
      AND ${payments.discountId} = ${discounts.id} AND ${payments.settledAt} IS NOT NULL)`,
  );
  const rows = await db
    .select({ ...getTableColumns(discounts), uses })
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
  return rows.flatMap(({ uses: used, ...discount }) => {
    const isOwn = discount.driverId !== null;
    return isOwn && used >= usesOfPrice(discount.plan, discount.endsAt - discount.startsAt) ? [] : [discount];
  });
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
