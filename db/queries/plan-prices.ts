import { asc, gte, inArray, and, sql } from "drizzle-orm";
import { planForSale } from "../shapes/plans.ts";
import type { Cents } from "../shapes/units.ts";
import type { Db } from "../client.ts";
import { plans } from "../payments-schema.ts";

export type PlanPriceRow = typeof plans.$inferSelect;

/** The price history of the plans for sale, oldest first, without prices too low to be charged: operators write them by hand. */
export function loadPriceHistory(db: Db, minChargeCents: Cents): Promise<PlanPriceRow[]> {
  return db
    .select()
    .from(plans)
    .where(and(inArray(plans.plan, planForSale.options), gte(plans.priceCents, minChargeCents)))
    .orderBy(asc(plans.validFrom), sql`plans.rowid`);
}
