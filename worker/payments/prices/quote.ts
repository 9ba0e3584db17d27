import * as z from "zod/mini";
import type { DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { loadDiscounts, loadDiscountsOf, loadPromotions } from "../../../db/queries/payments/discounts.ts";
import { loadPriceHistory } from "../../../db/queries/payments/plan-prices.ts";
import { loadSpendablePoints, loadSpendablePointsOf } from "../../../db/queries/rewards/points.ts";
import { MIN_CHARGE_CENTS } from "../../../db/shapes/money/currencies.ts";
import { quote, type Quote, type QuoteInput } from "../../contract/money/payments.ts";
import type { DriverId } from "../../../db/shapes/units.ts";
import type { CheckoutContext } from "../checkout.ts";
import { pricesAt, quotedPrice } from "./list-prices.ts";
import { feeOf, priceOrder, serviceUntilWith, type PricedOrder } from "./prices.ts";
import { isFullPayment } from "../settlement.ts";

type QuoteContext = Pick<CheckoutContext, "deps" | "db">;
/** The raffles that are open. */
type Promotions = Awaited<ReturnType<typeof loadPromotions>>;

/** A plan's price for a driver now, with as many of the points that they name as they have. */
export async function quotePlan(
  context: QuoteContext,
  driver: DriverRecord,
  input: QuoteInput,
): Promise<Quote> {
  return quoteFrom(context, driver, { input, facts: await loadQuoteFacts(context, driver) });
}

/** The facts that the price of any plan is made of. */
export async function loadQuoteFacts(context: QuoteContext, driver: DriverRecord) {
  const [prices, promotions] = await Promise.all([
    loadPriceFacts(context, driver.row.id),
    loadPromotions(context.db, context.deps.now()),
  ]);
  return { prices, promotions };
}

/** `quotePlan`, by what was read of all plans. */
export function quoteFrom(
  context: QuoteContext,
  driver: DriverRecord,
  { input, facts }: { input: QuoteInput; facts: Awaited<ReturnType<typeof loadQuoteFacts>> },
): Quote {
  const { order } = priceBy(context, facts.prices, { ...input, priceId: null });
  return toQuote(context, driver, { order, promotions: facts.promotions });
}

/** The facts that the price of any plan is made of, but for the raffles. */
export async function loadPriceFacts({ deps, db }: QuoteContext, driverId: DriverId) {
  const now = deps.now();
  const { currency } = deps.config;
  const [history, discounts, balance] = await Promise.all([
    loadPriceHistory(db, deps.config),
    loadDiscounts(db, { driverId, currency, now }),
    loadSpendablePoints(db, driverId),
  ]);
  return { history, discounts, balance, now };
}

/** The same of several drivers, in a few statements for all of them. */
export async function loadPriceFactsOf({ deps, db }: QuoteContext, driverIds: readonly DriverId[]) {
  const now = deps.now();
  const { currency } = deps.config;
  const [history, discounts, balances] = await Promise.all([
    loadPriceHistory(db, deps.config),
    loadDiscountsOf(db, { driverIds, currency, now }),
    loadSpendablePointsOf(db, driverIds),
  ]);
  return (driverId: DriverId) => ({
    history,
    discounts: discounts.filter((one) => one.driverId === null || one.driverId === driverId),
    balance: balances.get(driverId) ?? 0,
    now,
  });
}

/**
 * The order at the price that the driver was quoted, as long as that holds, else at the price now; and the same, had
 * they all the points that they name.
 */
export async function priceForDriver(
  context: QuoteContext,
  driver: DriverRecord,
  input: QuoteInput & { priceId: string | null },
): Promise<{ order: PricedOrder; orderWithAllPoints: PricedOrder }> {
  return priceBy(context, await loadPriceFacts(context, driver.row.id), input);
}

/** The same, by what was read of all plans. */
export function priceBy(
  { deps }: Pick<QuoteContext, "deps">,
  { history, discounts, balance, now }: Awaited<ReturnType<typeof loadPriceFacts>>,
  { plan, points, priceId }: QuoteInput & { priceId: string | null },
): { order: PricedOrder; orderWithAllPoints: PricedOrder } {
  const { currency, bankFeeMillionths: feeMillionths } = deps.config;
  const minChargeCents = MIN_CHARGE_CENTS[currency];
  const quoted = priceId === null ? null : quotedPrice(history, { plan, priceId }, now);
  const price = quoted ?? pricesAt(history, now)[plan];
  const input = { plan, price, currency, minChargeCents, points, discounts, feeMillionths };
  return {
    order: priceOrder({ ...input, balance }, now),
    orderWithAllPoints: priceOrder({ ...input, balance: points }, now),
  };
}

/** A priced order as the driver sees it; a stored payment is one too. */
export function toQuote(
  { deps }: Pick<QuoteContext, "deps">,
  { profile }: Pick<DriverRecord, "profile">,
  { order, promotions }: { order: PricedOrder; promotions: Promotions },
): Quote {
  const now = deps.now();
  const { plan, discountKind: kind, discountEndsAt: endsAt } = order;
  const capCents = order.priceCents + feeOf(order.priceCents, deps.config.bankFeeMillionths);
  const isPromoted = promotions.some((promotion) => promotion.plan === plan);
  return z.parse(quote, {
    ...order,
    discount:
      kind === null || endsAt === null
        ? null
        : { kind, priceCents: order.priceCents - order.discountCents, endsAt },
    serviceUntil: serviceUntilWith(plan, { until: profile.serviceUntil, now }),
    entersRaffle: isPromoted && isFullPayment(order),
    renewalCapCents: capCents,
  } satisfies Omit<Quote, "plan">);
}
