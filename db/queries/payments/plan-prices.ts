import { asc, eq, gte, inArray, and, sql, type SQL } from "drizzle-orm";
import { MIN_CHARGE_CENTS, type Currency } from "../../shapes/money/currencies.ts";
import { planForSale, PLANS_FOR_SALE, type PlanForSale, type PlanPrices } from "../../shapes/money/plans.ts";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { plans } from "../../schema/payments.ts";

export type PlanPriceRow = typeof plans.$inferSelect;

/** The prices of a deployment: the currency, and the first prices if that currency has no history. */
export type PriceBook = { currency: Currency; listPrices: PlanPrices | null };

/** The id of a price that comes from the deployment's settings, not from a row. */
const SET_PRICE = "list:";

/**
 * The price history of the plans for sale in a currency, each plan's oldest first, without prices too low to be charged,
 * which operators once wrote by hand. It begins with the prices that are set for that currency.
 */
export async function loadPriceHistory(db: Db, { currency, listPrices }: PriceBook): Promise<PlanPriceRow[]> {
  const set = PLANS_FOR_SALE.flatMap((plan): PlanPriceRow[] => {
    const priceCents = listPrices?.[plan];
    const id = `${SET_PRICE}${currency}:${plan}`;
    return priceCents === undefined ? [] : [{ id, plan, priceCents, validFrom: 0, currency }];
  });
  const rows = await db
    .select()
    .from(plans)
    .where(
      and(
        inArray(plans.plan, planForSale.options),
        eq(plans.currency, currency),
        gte(plans.priceCents, MIN_CHARGE_CENTS[currency]),
      ),
    )
    .orderBy(asc(plans.plan), asc(plans.validFrom), sql`${plans}.rowid`);
  return [...set, ...rows];
}

/** As a condition: that a plan's price at an instant comes from this row, or (null) that there is no such row. */
export function isPriceInForce(
  { plan, at, currency }: { plan: PlanForSale; at: EpochMs; currency: Currency },
  id: string | null,
): SQL {
  const row = id?.startsWith(SET_PRICE) ? null : id;
  return sql`(SELECT ${plans.id} FROM ${plans} WHERE ${plans.plan} = ${plan} AND ${plans.validFrom} <= ${at}
    AND ${plans.currency} = ${currency} AND ${plans.priceCents} >= ${MIN_CHARGE_CENTS[currency]}
    ORDER BY ${plans.validFrom} DESC, ${plans}.rowid DESC LIMIT 1) IS ${row}`;
}
