import { vi } from "vitest";
import type { PaymentRow } from "../../db/queries/payments/payments.ts";
import { SEED_PRICES } from "../../db/shapes/money/plans.ts";
import { driverId } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import type { Log } from "../../durable/runtime/log.ts";
import { toPaymentRow } from "../../worker/payments/prepare.ts";
import { createCardProcessor } from "../../worker/payments/stripe/stripe.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

export const NOW = Date.parse("2026-11-21T12:00:00Z");

type Call = { call: string; body: Record<string, string>; key: string | null };
type Answer = readonly [status: number, body: object, headers?: Record<string, string>];

export const log = vi.fn<Log>();
export const calls: Call[] = [];
export const addresses: string[] = [];

/** Forgets what was asked. For `beforeEach`. */
export function forgetCalls(): void {
  calls.length = 0;
  addresses.length = 0;
  log.mockClear();
}

/** Of most payments there is no warning, and no event that nobody heard of. */
const BY_DEFAULT: Record<string, Answer[]> = {
  "GET events": [[200, { object: "list", data: [], has_more: false }]],
  "GET radar/early_fraud_warnings": [[200, { object: "list", data: [], has_more: false }]],
};

/** Stripe as it answers these calls, by method and path; each list of answers is gone through once, its last one stays. */
export function stripeWith(
  answers: Record<string, readonly Answer[]>,
  settings: Record<string, string> = {},
) {
  const { config } = createDeps({ ...DEMO_SETTINGS, ...settings, DB: {}, DRIVER: {}, ASSETS: {} });
  const left = new Map(Object.entries(answers).map(([call, given]) => [call, [...given]]));
  const send = async (request: Request) => {
    const { origin, pathname, searchParams } = new URL(request.url);
    const call = `${request.method} ${pathname.replace("/v1/", "")}`;
    const sent = request.method === "POST" ? new URLSearchParams(await request.text()) : searchParams;
    calls.push({ call, body: Object.fromEntries(sent), key: request.headers.get("idempotency-key") });
    addresses.push(origin);
    const given = left.get(call) ?? BY_DEFAULT[call] ?? [];
    const [status, body, headers = {}] = (given.length > 1 ? given.shift() : given[0]) ?? [
      400,
      { error: { type: "invalid_request_error" } },
    ];
    return Response.json(body, { status, headers });
  };
  const cards = createCardProcessor({ config, send, now: () => NOW, log });
  if (!cards) throw new Error("there are no keys");
  return { cards, config };
}

export const list = (...data: object[]): Answer => [200, { object: "list", data, has_more: false }];
export const failure = (status: number, error: object): Answer => [status, { error }];
export const intent = (change: object = {}) => ({
  object: "payment_intent",
  id: "pi_1",
  status: "requires_payment_method",
  amount: 5022,
  amount_received: 0,
  currency: "usd",
  client_secret: "pi_1_secret",
  latest_charge: null,
  metadata: { payment_id: "p" },
  ...change,
});
export const open = {
  intentId: "pi_1",
  paymentId: "p",
  status: "open",
  cents: 5022,
  currency: "USD",
  clientSecret: "pi_1_secret",
  paidAt: null,
  receiptUrl: null,
  method: null,
  methodId: null,
  usage: null,
  failure: null,
  refunds: [],
  disputes: [],
  processorFeeCents: null,
  openDispute: null,
  fingerprint: null,
  reports: [],
};

export const payment: PaymentRow = {
  ...toPaymentRow(
    {
      plan: "7days",
      currency: "USD",
      priceCents: SEED_PRICES["7days"],
      priceId: "7days-1",
      discountCents: 100,
      discountId: null,
      discountKind: null,
      discountEndsAt: null,
      points: 10,
      pointsCents: 71,
      feeCents: 33,
      totalCents: 5022,
    },
    { driverId: driverId.parse("d"), now: NOW, tax: null },
  ),
  id: "p",
};
