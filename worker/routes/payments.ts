import { Hono, type Context } from "hono";
import type { DriverRecord } from "../../db/queries/drivers.ts";
import {
  listPayments,
  loadPayment,
  loadLastPaymentId,
  type PaymentCursor,
  type PaymentRow,
} from "../../db/queries/payments.ts";
import { loadSpendablePoints } from "../../db/queries/points.ts";
import { loadDiscounts, loadPromotions } from "../../db/queries/discounts.ts";
import {
  paymentsQueryInput,
  prepareInput,
  quoteInput,
  type Payment,
  type PaymentResponse,
  type PaymentsResponse,
  type PrepareResponse,
  type Quote,
  type QuoteInput,
} from "../contract/payments.ts";
import { planForSale } from "../../db/shapes/plans.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/api-error.ts";
import { parseSealedBody, openSealedBody } from "../http/sealed-body.ts";
import { validate } from "../http/validate.ts";
import { prepareIntent } from "../payments/prepare.ts";
import { priceOrder, serviceUntilWith, toDiscount, type PriceBreakdown } from "../payments/prices.ts";
import { settleIntent } from "../payments/settle-intent.ts";
import { isFullPayment } from "../payments/settlement.ts";
import { createCheckoutContext } from "../payments/checkout.ts";
import { loadCallerRecord } from "./caller.ts";

const PAGE_SIZE = 20;

/** Paying for service, and what was paid. */
export const paymentRoutes = new Hono<AppEnv>()
  .get("/", validate("query", paymentsQueryInput), async (c) => {
    const before = parseCursor(c.req.valid("query").cursor);
    const rows = await listPayments(c.var.db, c.var.caller.driverId, { before, limit: PAGE_SIZE + 1 });
    const page = rows.slice(0, PAGE_SIZE);
    const last = page.at(-1);
    const cursor = rows.length > PAGE_SIZE && last ? `${last.settledAt ?? last.createdAt}.${last.id}` : null;
    return c.json({ items: page.map(toPayment), cursor } satisfies PaymentsResponse, 200);
  })
  .post("/quote", validate("json", quoteInput), async (c) => {
    const record = await loadCallerRecord(c);
    const { breakdown } = await priceForCaller(c, c.req.valid("json"));
    return c.json(await toQuote(c, { record, breakdown }), 200);
  })
  .post("/prepare", openSealedBody, async (c) => {
    const {
      totalCents,
      lastPaymentId: knownPaymentId,
      ...input
    } = parseSealedBody(prepareInput, c.var.sealedBody);
    const { caller, db, deps } = c.var;
    const record = await loadCallerRecord(c);
    if (record.profile.waitingForSpot) throw new ApiError("waiting_for_spot");
    const { breakdown, withAllPoints } = await priceForCaller(c, input);
    // Read after the price: where points went into another payment, that one is what the driver hears of.
    if ((await loadLastPaymentId(db, caller.driverId)) !== knownPaymentId) throw new ApiError("already_paid");
    if (breakdown.totalCents !== totalCents) {
      throw new ApiError(withAllPoints.totalCents === totalCents ? "points_short" : "price_changed");
    }
    if (totalCents > 0 && !deps.config.cards) throw new ApiError("cards_unavailable");
    const quote = await toQuote(c, { record, breakdown });
    const checkout = createCheckoutContext({ env: c.env, deps, db });
    const { currency } = deps.config;
    const prepared = await prepareIntent(checkout, {
      driverId: caller.driverId,
      breakdown,
      currency,
      knownPaymentId,
    });
    switch (prepared.kind) {
      case "ready": {
        const { payment, clientSecret } = prepared;
        return c.json({ paymentId: payment.id, clientSecret, quote } satisfies PrepareResponse, 200);
      }
      case "settled":
        return c.json(await toSettledResponse(c, { record, payment: prepared.payment }), 200);
      case "points_short":
      case "already_paid":
        throw new ApiError(prepared.kind);
      case "busy":
        throw new ApiError("conflict");
    }
  })
  .get("/:id", async (c) => {
    const { caller, db, deps } = c.var;
    const payment = await loadPayment(db, { driverId: caller.driverId, id: c.req.param("id") });
    if (!payment) throw new ApiError("not_found");
    const checkout = createCheckoutContext({ env: c.env, deps, db });
    const { cards } = checkout;
    const isInProgress = payment.status === "open" || payment.status === "processing";
    const settled =
      isInProgress && payment.intentId !== null && cards
        ? await settleIntent({ ...checkout, cards }, payment.intentId)
        : null;
    const { profile } = await loadCallerRecord(c);
    const response: PaymentResponse = {
      payment: toPayment(settled?.payment ?? payment),
      serviceUntil: profile.serviceUntil,
    };
    return c.json(response, 200);
  });

/** What the input costs the caller now; and what it would cost, had they all the points that they name. */
async function priceForCaller(
  c: Context<AppEnv>,
  { plan, points }: QuoteInput,
): Promise<{ breakdown: PriceBreakdown; withAllPoints: PriceBreakdown }> {
  const { db, deps, caller } = c.var;
  const now = deps.now();
  const [discounts, balance] = await Promise.all([
    loadDiscounts(db, { driverId: caller.driverId, now }),
    loadSpendablePoints(db, caller.driverId),
  ]);
  const order = { plan, points, discounts: discounts, feeMillionths: deps.config.bankFeeMillionths };
  return {
    breakdown: priceOrder({ ...order, balance }, now),
    withAllPoints: priceOrder({ ...order, balance: points }, now),
  };
}

async function toQuote(
  c: Context<AppEnv>,
  { record, breakdown }: { record: DriverRecord; breakdown: PriceBreakdown },
): Promise<Quote> {
  const { db, deps } = c.var;
  const now = deps.now();
  const promotions = await loadPromotions(db, now);
  const { discount, ...figures } = breakdown;
  const isPromoted = promotions.some(({ plan }) => plan === figures.plan);
  return {
    ...figures,
    currency: deps.config.currency,
    discount: toDiscount(discount),
    serviceUntil: serviceUntilWith(figures.plan, { until: record.profile.serviceUntil, now }),
    entersRaffle: isPromoted && isFullPayment(figures),
  };
}

/** The answer where nothing is left to pay, in the figures of the payment that is paid. */
async function toSettledResponse(
  c: Context<AppEnv>,
  { record, payment }: { record: DriverRecord; payment: PaymentRow },
): Promise<PrepareResponse> {
  const quote = await toQuote(c, { record, breakdown: toBreakdown(payment) });
  return { paymentId: payment.id, clientSecret: null, quote };
}

/** The breakdown that a payment was prepared with. */
function toBreakdown(payment: PaymentRow): PriceBreakdown {
  const {
    priceCents,
    discountCents,
    points,
    pointsCents,
    feeCents,
    totalCents,
    discountId,
    discountKind,
    discountEndsAt,
  } = payment;
  const plan = planForSale.parse(payment.plan);
  const discount =
    discountId === null || discountKind === null || discountEndsAt === null
      ? null
      : {
          id: discountId,
          kind: discountKind,
          plan,
          priceCents: priceCents - discountCents,
          startsAt: payment.createdAt,
          endsAt: discountEndsAt,
        };
  return { plan, priceCents, discount, discountCents, points, pointsCents, feeCents, totalCents };
}

function toPayment(row: PaymentRow): Payment {
  const { id, plan, status, currency, priceCents, discountKind, discountCents, points, pointsCents } = row;
  const { feeCents, totalCents, refundedCents, receiptUrl, settledAt, createdAt } = row;
  return {
    id,
    plan,
    status,
    currency,
    priceCents,
    discountKind,
    discountCents,
    points,
    pointsCents,
    feeCents,
    totalCents,
    refundedCents,
    receiptUrl,
    at: settledAt ?? createdAt,
  };
}

function parseCursor(cursor: string | undefined): PaymentCursor | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = cursor.split(".");
  return { at: Number(at), id };
}
