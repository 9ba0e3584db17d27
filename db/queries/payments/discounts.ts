import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, or, sql, type SQL } from "drizzle-orm";
import { discountKind, plan, usesOfPrice } from "../../shapes/money/plans.ts";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { isAmong, qualified } from "../../expressions.ts";
import { discounts, payments, promotions } from "../../schema/payments.ts";

/** Without a driver, only discounts for everybody. */
type DiscountQuery = { driverId: DriverId | null; currency: string; now: EpochMs };

/**
 * Discounts that apply to a driver now: those for everyone and the driver's own, until it is used up. The limits of support
 * counted each use that it allows. Rows with an unknown kind or plan are ignored, since operators write them by hand.
 */
export async function loadDiscounts(db: Db, { driverId, ...when }: DiscountQuery) {
  const isForAll = isNull(discounts.driverId);
  return listDiscounts(db, {
    ...when,
    isTheirs: driverId === null ? isForAll : or(isForAll, eq(discounts.driverId, driverId)),
  });
}

/** The same for several drivers: the discounts that are theirs or for everyone. */
export function loadDiscountsOf(
  db: Db,
  { driverIds, ...when }: Omit<DiscountQuery, "driverId"> & { driverIds: readonly DriverId[] },
) {
  const isTheirs = or(isNull(discounts.driverId), isAmong(discounts.driverId, driverIds));
  return listDiscounts(db, { ...when, isTheirs });
}

async function listDiscounts(
  db: Db,
  { isTheirs, currency, now }: Omit<DiscountQuery, "driverId"> & { isTheirs: SQL | undefined },
) {
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

/** Raffles that a full payment would enter now; those that end first come first. */
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
