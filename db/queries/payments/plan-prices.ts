import { asc, gte, inArray, and, sql, type SQL } from "drizzle-orm";
import { planForSale, type PlanForSale } from "../../shapes/money/plans.ts";
import type { Cents, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { plans } from "../../schema/payments.ts";

export type PlanPriceRow = typeof plans.$inferSelect;

/** The price history of the plans for sale, each plan's oldest first, without prices too low to be charged, which operators once wrote by hand. */
export function loadPriceHistory(db: Db, minChargeCents: Cents): Promise<PlanPriceRow[]> {
  return db
    .select()
    .from(plans)
    .where(and(inArray(plans.plan, planForSale.options), gte(plans.priceCents, minChargeCents)))
    .orderBy(asc(plans.plan), asc(plans.validFrom), sql`${plans}.rowid`);
}

/** As a condition: the row that a plan's price at an instant is of, or (null) that there is none. */
export function isPriceInForce(
  { plan, at, minChargeCents }: { plan: PlanForSale; at: EpochMs; minChargeCents: Cents },
  id: string | null,
): SQL {
  return sql`(SELECT ${plans.id} FROM ${plans} WHERE ${plans.plan} = ${plan} AND ${plans.validFrom} <= ${at}
    AND ${plans.priceCents} >= ${minChargeCents}
    ORDER BY ${plans.validFrom} DESC, ${plans}.rowid DESC LIMIT 1) IS ${id}`;
}
