import {
  endSaleEffects,
  isSale,
  listPriceEffects,
  listSales,
  saleEffects,
} from "../../db/queries/operators/deployment.ts";
import { always } from "../../db/queries/operators/acts.ts";
import { isPriceInForce, loadPriceHistory } from "../../db/queries/payments/plan-prices.ts";
import { MIN_CHARGE_CENTS } from "../../db/shapes/money/currencies.ts";
import { PLANS_FOR_SALE } from "../../db/shapes/money/plans.ts";
import type { Cents } from "../../db/shapes/units.ts";
import type { DeploymentAct, NewListPrice } from "../contract/console/operator-acts.ts";
import type { ListPricePreview, PricesResponse } from "../contract/console/operator-deployment.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { pricesAt, priceSteps } from "../payments/prices/list-prices.ts";
import type { ConsoleContext, ActPlan } from "./acts.ts";

type ActOf<Name extends DeploymentAct["act"]> = Extract<DeploymentAct, { act: Name }>;

/** A lower price of a plan for everybody, between two instants. */
export async function planSale(
  context: ConsoleContext,
  id: string,
  { plan: sold, priceCents, startsAt, endsAt }: ActOf<"sale">,
): ReturnType<ActPlan> {
  const { db } = context;
  const { currency } = context.deps.config;
  const now = context.deps.now();
  const history = await loadHistory(context);
  const listCents = pricesAt(history, Math.max(startsAt, now))[sold].priceCents;
  if (priceCents >= listCents) throw refusal("priceCents", "too_large");
  requireChargeable(context, priceCents);
  if (endsAt <= Math.max(startsAt, now)) throw refusal("endsAt", "too_small");
  return {
    before: { priceCents: listCents },
    after: { priceCents },
    worthCents: 0,
    condition: always,
    effects: (where) =>
      saleEffects(db, where, { id: `operator:${id}`, plan: sold, priceCents, currency, startsAt, endsAt }),
  };
}

export async function planEndOfSale(
  { db, deps }: ConsoleContext,
  { saleId }: ActOf<"end_sale">,
): ReturnType<ActPlan> {
  const now = deps.now();
  const sale = (await listSales(db, { currency: deps.config.currency, now })).find(({ id }) => id === saleId);
  if (!sale) throw new ApiError("not_found");
  return {
    before: { endsAt: sale.endsAt },
    after: { endsAt: now },
    worthCents: 0,
    condition: isSale(saleId, now),
    effects: (where) => endSaleEffects(db, where, { id: saleId, now }),
  };
}

/** A row of the price history: what holds before it stays as it was. */
export async function planListPrice(
  context: ConsoleContext,
  id: string,
  input: NewListPrice,
): ReturnType<ActPlan> {
  const { plan: sold, priceCents } = input;
  const { currency } = context.deps.config;
  const { known, startsAt } = await checkListPrice(context, input);
  return {
    before: { priceCents: known.priceCents },
    after: { priceCents, startsAt },
    worthCents: 0,
    condition: isPriceInForce({ plan: sold, at: startsAt, currency }, known.id),
    effects: (where) =>
      listPriceEffects(context.db, where, {
        id: `operator:${id}`,
        plan: sold,
        priceCents,
        validFrom: startsAt,
        currency,
      }),
  };
}

/**
 * The prices that drivers would pay, and from when, if the price were set. Nothing is written, and what the act refuses
 * is refused.
 */
export async function previewListPrice(
  context: ConsoleContext,
  input: NewListPrice,
): Promise<ListPricePreview> {
  const { history, startsAt, now } = await checkListPrice(context, input);
  const { plan: sold, priceCents } = input;
  const { currency } = context.deps.config;
  const added = { id: "preview", plan: sold, priceCents, validFrom: startsAt, currency };
  const discounts = await listSales(context.db, { currency: context.deps.config.currency, now });
  return {
    steps: priceSteps(
      { plan: sold, history: [...history, added], discounts, minChargeCents: minChargeOf(context) },
      now,
    ),
  };
}

/** When it would begin, and the price that it would replace then. */
async function checkListPrice(context: ConsoleContext, { plan: sold, priceCents, startsAt }: NewListPrice) {
  const now = context.deps.now();
  requireChargeable(context, priceCents);
  if (startsAt !== null && startsAt <= now) throw refusal("startsAt", "too_small");
  const history = await loadHistory(context);
  const from = startsAt ?? now;
  const known = pricesAt(history, from)[sold];
  if (priceCents === known.priceCents) throw refusal("priceCents", "invalid");
  return { history, now, startsAt: from, known };
}

/** Each plan's list price, those that follow, and the sales that hold or will. */
export async function listPricesAndSales(context: ConsoleContext): Promise<PricesResponse> {
  const now = context.deps.now();
  const [history, sales] = await Promise.all([
    loadHistory(context),
    listSales(context.db, { currency: context.deps.config.currency, now }),
  ]);
  const prices = pricesAt(history, now);
  return {
    prices: PLANS_FOR_SALE.map((sold) => ({ plan: sold, priceCents: prices[sold].priceCents })),
    ahead: PLANS_FOR_SALE.flatMap((sold) =>
      startsAhead(history, sold, now).map((startsAt) => ({
        plan: sold,
        priceCents: pricesAt(history, startsAt)[sold].priceCents,
        startsAt,
      })),
    ).toSorted((one, other) => one.startsAt - other.startsAt),
    sales: sales.map(({ id, plan: sold, priceCents, startsAt, endsAt }) => ({
      id,
      plan: sold,
      priceCents,
      startsAt,
      endsAt,
    })),
  };
}

/** The instants ahead at which a plan's price changes. */
function startsAhead(
  history: Awaited<ReturnType<typeof loadHistory>>,
  sold: NewListPrice["plan"],
  now: number,
): number[] {
  const starts = history.filter(({ plan, validFrom }) => plan === sold && validFrom > now);
  return [...new Set(starts.map(({ validFrom }) => validFrom))];
}

function loadHistory(context: ConsoleContext) {
  return loadPriceHistory(context.db, context.deps.config);
}

function minChargeOf({ deps }: ConsoleContext): Cents {
  return MIN_CHARGE_CENTS[deps.config.currency];
}

function requireChargeable(context: ConsoleContext, priceCents: Cents): void {
  if (priceCents < minChargeOf(context)) throw refusal("priceCents", "too_small");
}

function refusal(field: string, issue: "too_large" | "too_small" | "invalid"): ApiError {
  return new ApiError("invalid_request", { fields: { [field]: issue } });
}
