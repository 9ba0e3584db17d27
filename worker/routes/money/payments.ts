import { Hono, type Context, type MiddlewareHandler } from "hono";
import {
  paymentParams,
  paymentsQueryInput,
  prepareInput,
  quoteInput,
  type PaymentResponse,
} from "../../contract/money/payments.ts";
import { renewalInput, renewalNotice, savedCardParams } from "../../contract/money/saved-cards.ts";
import { loadMoneyBack } from "../../../db/queries/payments/money-back.ts";
import { loadStoredPayment, type PaymentRecord } from "../../../db/queries/payments/payments.ts";
import { countPaymentCall, countPaymentLook, type CallLimit } from "../../../db/queries/payments/limits.ts";
import { MINUTE_MS, type DriverId } from "../../../db/shapes/units.ts";
import { ahead, alsoReadsAhead, readsAhead } from "../../http/gate/read-ahead.ts";
import { limitAddress } from "../../http/rate-limiter.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { afterResponse, outliveCaller } from "../../http/request-scope.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { sealedJson } from "../../http/sealed-body.ts";
import { validate } from "../../http/validate.ts";
import {
  createCheckoutContext,
  type CardCheckoutContext,
  type CheckoutContext,
} from "../../payments/checkout.ts";
import {
  cancelPayment,
  listPageRows,
  lookAtPayment,
  showPayment,
  showPaymentAsRead,
  toPaymentPage,
  type Looked,
} from "../../payments/payment-history.ts";
import { loadPrepareFacts, preparePayment } from "../../payments/prepare-payment.ts";
import { quotePlan } from "../../payments/prices/quote.ts";
import { loadReceipt } from "../../payments/receipt.ts";
import { loadPaymentRenewal } from "../../payments/renewals/renewal-consent.ts";
import { confirmSeen, loadRenewalState, turnRenewal } from "../../payments/renewals/renewal-state.ts";
import { deliverServiceChanges } from "../../payments/service-changes.ts";
import {
  loadCardHolder,
  loadSavedCards,
  openCustomerSession,
  removeSavedCard,
} from "../../payments/saved-cards.ts";
import { DEVICE_HEADER } from "../../contract/headers.ts";
import { noteCallerDevice } from "../../rewards/device.ts";
import { loadCallerRecord, recordAhead } from "../caller.ts";

/** A driver's limits at the card processor. A page looks every two seconds, for a minute at most. */
const LIMITS = {
  prepare: { most: 20, windowMs: 10 * MINUTE_MS },
  look: { most: 40, windowMs: MINUTE_MS },
  cancel: { most: 10, windowMs: MINUTE_MS },
} as const satisfies Record<string, CallLimit>;

/** The rows of a page of payments. */
const rowsAhead = ahead(async (c, driverId) => {
  const query = paymentsQueryInput.safeParse(c.req.query());
  return query.success ? listPageRows(c.var.db, driverId, query.data.cursor) : [];
});

/** The payment that a path names after `payments`. */
const paymentAhead = ahead(async (c, driverId) => {
  const id = paymentIdOf(c);
  return id === null ? null : loadStoredPayment(c.var.db, { driverId, id });
});

/** The facts that are shown beside that payment. */
const besideAhead = ahead(async (c, driverId) => loadBeside(c, { driverId, id: paymentIdOf(c) ?? "" }));

/** When the card processor may be asked about it; null where it may be now, or needn't. */
const lookAhead = ahead(async (c, driverId) => {
  const { deps } = c.var;
  const id = paymentIdOf(c);
  const look = { call: "look", driverId, limit: LIMITS.look, now: deps.now() };
  return id === null ? null : countPaymentLook(deps.db, { ...look, id });
});

const prepareAhead = ahead((c, driverId) => loadPrepareFacts(c.var, driverId));

const holderAhead = ahead((c, driverId) => loadCardHolder(c.var.db, driverId));

/** Paying for service, with a new card, a saved one or by renewal; and what was paid. */
export const paymentRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .use(limitAddress)
  .get("/", readsAhead(rowsAhead.start), validate("query", paymentsQueryInput), async (c) => {
    return c.json(await toPaymentPage(c.var.db, c.var.caller.driverId, await rowsAhead.of(c)), 200);
  })
  .post("/quote", validate("json", quoteInput), async (c) => {
    return c.json(await quotePlan(c.var, await loadCallerRecord(c), c.req.valid("json")), 200);
  })
  .post(
    "/prepare",
    limited("prepare"),
    readsAhead(prepareAhead.start),
    sealedJson("POST /flex/v1/payments/prepare", prepareInput),
    async (c) => {
      const { caller, db, deps } = c.var;
      const device = c.req.header(DEVICE_HEADER);
      const noted = noteCallerDevice(db, { driverId: caller.driverId, device, now: deps.now() });
      const driver = await loadCallerRecord(c);
      const input = { ...c.req.valid("json"), noted, facts: await prepareAhead.of(c) };
      // Of what was made at the card processor all is stored.
      const prepared = await outliveCaller(preparePayment(checkoutOf(c), driver, input));
      if (prepared.ok) return c.json(prepared.response, 200);
      const { code, retryAt } = prepared;
      throw new ApiError(code, retryAt === undefined ? {} : { retryAfter: secondsUntil(c, retryAt) });
    },
  )
  .get("/cards", limited("look"), async (c) => {
    return c.json(await loadSavedCards(checkoutOf(c), await loadCallerRecord(c)), 200);
  })
  .delete(
    "/cards/:id",
    limited("cancel"),
    readsAhead(holderAhead.start),
    validate("param", savedCardParams),
    async (c) => {
      const { driverId } = c.var.caller;
      const { id: cardId } = c.req.valid("param");
      const checkout = cardCheckoutOf(c);
      const holder = await holderAhead.of(c);
      if (!(await removeSavedCard(checkout, { driverId, cardId, holder }))) throw new ApiError("not_found");
      return c.body(null, 204);
    },
  )
  .post("/session", limited("prepare"), async (c) => {
    return c.json(await openCustomerSession(cardCheckoutOf(c), await loadCallerRecord(c)), 200);
  })
  .get("/renewal", async (c) => {
    return c.json({ renewal: await loadRenewalState(c.var, await loadCallerRecord(c)) }, 200);
  })
  .put("/renewal", validate("json", renewalInput), async (c) => {
    const driver = await loadCallerRecord(c);
    const input = c.req.valid("json");
    const turned = await turnRenewal(checkoutOf(c), driver, input);
    if (!turned.ok) throw new ApiError(turned.code);
    // The next minute tries again what fails.
    if (input.on) await afterResponse(() => deliverServiceChanges(checkoutOf(c), driver.row.id));
    return c.json({ renewal: turned.renewal }, 200);
  })
  .post("/renewal/seen", validate("json", renewalNotice), async (c) => {
    if (!(await confirmSeen(c.var, await loadCallerRecord(c), c.req.valid("json"))))
      throw new ApiError("conflict");
    return c.body(null, 204);
  })
  .get(
    "/:id",
    readsAhead(paymentAhead.start),
    readsAhead(besideAhead.start),
    readsAhead(lookAhead.start),
    validate("param", paymentParams),
    async (c) => {
      const { driverId } = c.var.caller;
      const { id } = c.req.valid("param");
      const mayAsk = async () => (await lookAhead.of(c)) === null;
      const found = await paymentAhead.of(c);
      const shown = readOnceSaved(c, found?.payment ?? null);
      const look = { driverId, id, mayAsk, found, onSaved: shown.start };
      const looked = await lookAtPayment(checkoutOf(c), look);
      if (!looked) throw new ApiError("not_found");
      return c.json(await withServiceTime(c, looked, shown), 200);
    },
  )
  .post(
    "/:id/cancel",
    limited("cancel"),
    readsAhead(paymentAhead.start),
    readsAhead(besideAhead.start),
    validate("param", paymentParams),
    async (c) => {
      const { driverId } = c.var.caller;
      const { id } = c.req.valid("param");
      const found = await paymentAhead.of(c);
      const shown = readOnceSaved(c, found?.payment ?? null);
      const look = { driverId, id, found, onSaved: shown.start };
      const looked = await cancelPayment(checkoutOf(c), look);
      if (!looked) throw new ApiError("not_found");
      return c.json(await withServiceTime(c, looked, shown), 200);
    },
  )
  .get("/:id/receipt", validate("param", paymentParams), async (c) => {
    const receipt = await loadReceipt(c.var, await loadCallerRecord(c), c.req.valid("param").id);
    if (!receipt) throw new ApiError("not_found");
    return c.json(receipt, 200);
  });

function paymentIdOf(c: Context<AppEnv>): string | null {
  const params = paymentParams.safeParse({ id: c.req.path.split("/payments/").at(-1)?.split("/")[0] });
  return params.success ? params.data.id : null;
}

function loadBeside(c: Context<AppEnv>, { driverId, id }: { driverId: DriverId; id: string }) {
  return Promise.all([
    loadMoneyBack(c.var.db, driverId, [id]),
    loadPaymentRenewal(c.var, { driverId, paymentId: id }),
  ]);
}

/** Shows a payment with the service time after it was settled, so that what it paid for is in it. */
async function withServiceTime(
  c: Context<AppEnv>,
  { payment: row, isAlone }: Looked,
  shown: ReturnType<typeof readOnceSaved>,
): Promise<PaymentResponse> {
  if (isAlone) {
    const [[back, renewal], { profile }] = await Promise.all([besideAhead.of(c), loadCallerRecord(c)]);
    return { payment: showPaymentAsRead(row, back), serviceUntil: profile.serviceUntil, renewal };
  }
  const [payment, { profile }, renewal] = await shown.of(row);
  return { payment, serviceUntil: profile.serviceUntil, renewal };
}

/** A payment, the caller's record and the renewal, read once the payment is settled, while what follows that is told. */
function readOnceSaved(c: Context<AppEnv>, payment: PaymentRecord | null) {
  const read = (row: PaymentRecord) => {
    const { driverId, id: paymentId } = row;
    c.set("recordAhead", null);
    return Promise.all([
      showPayment(c.var.db, row),
      loadCallerRecord(c),
      loadPaymentRenewal(c.var, { driverId, paymentId }),
    ]);
  };
  let early: ReturnType<typeof read> | null = null;
  return {
    start() {
      if (!payment) return;
      early = read(payment);
      // The handler hears of a failure.
      early.catch(() => {});
    },
    of: (row: PaymentRecord) => early ?? read(row),
  };
}

/** Counts a driver's call. @returns when the next one is allowed, or null where this one is */
function countCall(
  c: Context<AppEnv>,
  { call, driverId }: { call: keyof typeof LIMITS; driverId: DriverId },
): Promise<number | null> {
  const { deps } = c.var;
  return countPaymentCall(deps.db, { call, driverId, limit: LIMITS[call], now: deps.now() });
}

/** Counts a call beside the look at its session, and lets so many through. */
function limited(call: keyof typeof LIMITS): MiddlewareHandler<AppEnv> {
  const count = ahead((c, driverId) => countCall(c, { call, driverId }));
  const limit: MiddlewareHandler<AppEnv> = async (c, next) => {
    const retryAt = await count.of(c);
    if (retryAt !== null) throw new ApiError("rate_limited", { retryAfter: secondsUntil(c, retryAt) });
    await next();
  };
  return alsoReadsAhead(limit, count.start);
}

function secondsUntil(c: Context<AppEnv>, at: number): number {
  return Math.max(1, Math.ceil((at - c.var.deps.now()) / 1000));
}

/** @throws {ApiError} `cards_unavailable` where no keys are set */
function cardCheckoutOf(c: Context<AppEnv>): CardCheckoutContext {
  const { cards, ...checkout } = checkoutOf(c);
  if (!cards) throw new ApiError("cards_unavailable");
  return { ...checkout, cards };
}

function checkoutOf(c: Context<AppEnv>): CheckoutContext {
  return createCheckoutContext({ deps: c.var.deps, db: c.var.db });
}
