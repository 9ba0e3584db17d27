import { Hono, type Context } from "hono";
import {
  paymentParams,
  paymentsQueryInput,
  prepareInput,
  quoteInput,
  type PaymentResponse,
} from "../contract/payments.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/api-error.ts";
import { sealedJson } from "../http/sealed-body.ts";
import { validate } from "../http/validate.ts";
import { createCheckoutContext, type CheckoutContext } from "../payments/checkout.ts";
import { fetchPayment, listPaymentPage } from "../payments/payment-history.ts";
import { preparePayment } from "../payments/prepare-payment.ts";
import { quotePlan } from "../payments/quote.ts";
import { loadCallerRecord } from "./caller.ts";

/** Paying for service, and what was paid. */
export const paymentRoutes = new Hono<AppEnv>()
  .get("/", validate("query", paymentsQueryInput), async (c) => {
    const { cursor } = c.req.valid("query");
    return c.json(await listPaymentPage(c.var.db, c.var.caller.driverId, cursor), 200);
  })
  .post("/quote", validate("json", quoteInput), async (c) => {
    return c.json(await quotePlan(c.var, await loadCallerRecord(c), c.req.valid("json")), 200);
  })
  .post("/prepare", sealedJson("POST /flex/v1/payments/prepare", prepareInput), async (c) => {
    const prepared = await preparePayment(checkoutOf(c), await loadCallerRecord(c), c.req.valid("json"));
    if (!prepared.ok) throw new ApiError(prepared.code);
    return c.json(prepared.response, 200);
  })
  .get("/:id", validate("param", paymentParams), async (c) => {
    const { driverId } = c.var.caller;
    const payment = await fetchPayment(checkoutOf(c), { driverId, id: c.req.valid("param").id });
    if (!payment) throw new ApiError("not_found");
    // Loaded after the payment was settled, so that the service it paid for is in it.
    const { profile } = await loadCallerRecord(c);
    return c.json({ payment, serviceUntil: profile.serviceUntil } satisfies PaymentResponse, 200);
  });

function checkoutOf(c: Context<AppEnv>): CheckoutContext {
  return createCheckoutContext({ env: c.env, deps: c.var.deps, db: c.var.db });
}
