import { Hono, type Context } from "hono";
import type { DriverRecord } from "../../db/queries/drivers.ts";
import {
  listPayments,
  readPayment,
  readLastPaymentId,
  type PaymentCursor,
  type PaymentRow,
} from "../../db/queries/payments.ts";
import { readSpendablePoints } from "../../db/queries/points.ts";
import { readCuts, readPromotions } from "../../db/queries/price-cuts.ts";
import {
  paymentsQuery,
  planForSale,
  prepareInput,
  quoteInput,
  type Payment,
  type PaymentAnswer,
  type PaymentsAnswer,
  type PrepareAnswer,
  type Quote,
  type QuoteInput,
} from "../contract/payments.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { parseSealed, sealed } from "../http/sealed.ts";
import { validated } from "../http/validated.ts";
import { preparePayment } from "../payments/prepare.ts";
import { priceBasket, serviceUntilWith, toPriceCut, type Breakdown } from "../payments/prices.ts";
import { settleIntent } from "../payments/settle.ts";
import { isFullPayment } from "../payments/settlement.ts";
import { openTill } from "../payments/till.ts";
import { callersRecord } from "./driver.ts";

const PAGE = 20;

/** Paying for service, and what was paid. */
export const payments = new Hono<App>()
  .get("/", validated("query", paymentsQuery), async (c) => {
    const before = readCursor(c.req.valid("query").cursor);
    const rows = await listPayments(c.var.db, c.var.caller.driverId, { before, limit: PAGE + 1 });
    const page = rows.slice(0, PAGE);
    const last = page.at(-1);
    const cursor = rows.length > PAGE && last ? `${last.settledAt ?? last.createdAt}.${last.id}` : null;
    return c.json({ items: page.map(toAnswer), cursor } satisfies PaymentsAnswer, 200);
  })
  .post("/quote", validated("json", quoteInput), async (c) => {
    const record = await callersRecord(c);
    const { breakdown } = await priceNow(c, c.req.valid("json"));
    return c.json(await toQuote(c, { record, breakdown }), 200);
  })
  .post("/prepare", sealed, async (c) => {
    const { totalCents, lastPaymentId: lastKnown, ...input } = parseSealed(prepareInput, c.var.sealedBody);
    const { caller, db, deps } = c.var;
    const record = await callersRecord(c);
    if (record.profile.waitingForSpot) throw new Failure("waiting_for_spot");
    const { breakdown, withAllPoints } = await priceNow(c, input);
    // Read after the price: where points went into another payment, that one is what the driver hears of.
    if ((await readLastPaymentId(db, caller.driverId)) !== lastKnown) throw new Failure("already_paid");
    if (breakdown.totalCents !== totalCents) {
      throw new Failure(withAllPoints.totalCents === totalCents ? "points_short" : "price_changed");
    }
    if (totalCents > 0 && !deps.config.cards) throw new Failure("cards_unavailable");
    const quote = await toQuote(c, { record, breakdown });
    const till = openTill({ env: c.env, deps, db });
    const { currency } = deps.config;
    const prepared = await preparePayment(till, {
      driverId: caller.driverId,
      breakdown,
      currency,
      lastKnown,
    });
    switch (prepared.kind) {
      case "ready": {
        const { payment, clientSecret } = prepared;
        return c.json({ paymentId: payment.id, clientSecret, quote } satisfies PrepareAnswer, 200);
      }
      case "settled":
        return c.json(await toSettled(c, { record, payment: prepared.payment }), 200);
      case "points_short":
      case "already_paid":
        throw new Failure(prepared.kind);
      case "busy":
        throw new Failure("conflict");
    }
  })
  .get("/:id", async (c) => {
    const { caller, db, deps } = c.var;
    const payment = await readPayment(db, { driverId: caller.driverId, id: c.req.param("id") });
    if (!payment) throw new Failure("not_found");
    const till = openTill({ env: c.env, deps, db });
    const { cards } = till;
    const isUnderWay = payment.status === "open" || payment.status === "processing";
    const settled =
      isUnderWay && payment.intentId !== null && cards
        ? await settleIntent({ ...till, cards }, payment.intentId)
        : null;
    const { profile } = await callersRecord(c);
    const answer: PaymentAnswer = {
      payment: toAnswer(settled?.payment ?? payment),
      serviceUntil: profile.serviceUntil,
    };
    return c.json(answer, 200);
  });

/** What the input costs the caller now; and what it would cost, had they all the points that they name. */
async function priceNow(
  c: Context<App>,
  { plan, points }: QuoteInput,
): Promise<{ breakdown: Breakdown; withAllPoints: Breakdown }> {
  const { db, deps, caller } = c.var;
  const now = deps.now();
  const [cuts, balance] = await Promise.all([
    readCuts(db, { driverId: caller.driverId, now }),
    readSpendablePoints(db, caller.driverId),
  ]);
  const basket = { plan, points, cuts, feeMillionths: deps.config.bankFeeMillionths };
  return {
    breakdown: priceBasket({ ...basket, balance }, now),
    withAllPoints: priceBasket({ ...basket, balance: points }, now),
  };
}

async function toQuote(
  c: Context<App>,
  { record, breakdown }: { record: DriverRecord; breakdown: Breakdown },
): Promise<Quote> {
  const { db, deps } = c.var;
  const now = deps.now();
  const promotions = await readPromotions(db, now);
  const { cut, ...figures } = breakdown;
  const isPromoted = promotions.some(({ plan }) => plan === figures.plan);
  return {
    ...figures,
    currency: deps.config.currency,
    cut: toPriceCut(cut),
    serviceUntil: serviceUntilWith(figures.plan, { until: record.profile.serviceUntil, now }),
    entersRaffle: isPromoted && isFullPayment(figures),
  };
}

/** The answer where nothing is left to pay, in the figures of the payment that is paid. */
async function toSettled(
  c: Context<App>,
  { record, payment }: { record: DriverRecord; payment: PaymentRow },
): Promise<PrepareAnswer> {
  const quote = await toQuote(c, { record, breakdown: breakdownOf(payment) });
  return { paymentId: payment.id, clientSecret: null, quote };
}

/** The breakdown that a payment was prepared with. */
function breakdownOf(payment: PaymentRow): Breakdown {
  const { priceCents, cutCents, points, pointsCents, feeCents, totalCents, cutId, cutKind, cutEndsAt } =
    payment;
  const plan = planForSale.parse(payment.plan);
  const cut =
    cutId === null || cutKind === null || cutEndsAt === null
      ? null
      : {
          id: cutId,
          kind: cutKind,
          plan,
          priceCents: priceCents - cutCents,
          startsAt: payment.createdAt,
          endsAt: cutEndsAt,
        };
  return { plan, priceCents, cut, cutCents, points, pointsCents, feeCents, totalCents };
}

function toAnswer(row: PaymentRow): Payment {
  const { id, plan, status, currency, priceCents, cutKind, cutCents, points, pointsCents } = row;
  const { feeCents, totalCents, refundedCents, receiptUrl, settledAt, createdAt } = row;
  return {
    id,
    plan,
    status,
    currency,
    priceCents,
    cutKind,
    cutCents,
    points,
    pointsCents,
    feeCents,
    totalCents,
    refundedCents,
    receiptUrl,
    at: settledAt ?? createdAt,
  };
}

function readCursor(cursor: string | undefined): PaymentCursor | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = cursor.split(".");
  return { at: Number(at), id };
}
