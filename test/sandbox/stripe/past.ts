import { z } from "zod";
import { digest } from "../chance.ts";
import type { Act } from "./act.ts";
import { addMethod } from "./methods.ts";
import type { Charge, Intent } from "./shapes.ts";
import { paymentId } from "./tables.ts";

const instant = z.number();
const metadata = z.record(z.string(), z.string()).default({});

/** A payment that is long over, with what went back of it. */
export const pastPayment = z.strictObject({
  intent: z.string(),
  amount: z.int().min(1),
  currency: z.string().default("usd"),
  metadata,
  createdAt: instant,
  /** When it was paid; null for one that wasn't. */
  paidAt: instant.nullable(),
  /** Of one that was not paid: whether it can't be any more. */
  isCanceled: z.boolean().default(false),
  refunds: z
    .array(z.strictObject({ id: z.string(), amount: z.int().min(1), at: instant, metadata }))
    .default([]),
  disputes: z
    .array(
      z.strictObject({
        id: z.string(),
        amount: z.int().min(1),
        at: instant,
        status: z.enum(["needs_response", "lost"]),
      }),
    )
    .default([]),
});
type PastPayment = z.infer<typeof pastPayment>;

/** Adds payments of the past as they ended, with no event: nobody waits for one. One whose intent is known stays as it is. */
export function addPast(act: Act, payments: readonly PastPayment[]): number {
  const { intents } = act.state.payments;
  const fresh = payments
    .filter(({ intent }) => !intents.get(intent))
    .toSorted((one, other) => one.createdAt - other.createdAt);
  for (const payment of fresh) addPayment(act, payment);
  return fresh.length;
}

function addPayment(act: Act, payment: PastPayment): void {
  const { state } = act;
  const { intent: id, amount, currency, createdAt, paidAt, isCanceled } = payment;
  const charge = paidAt === null ? null : addPaidCharge(act, payment, paidAt);
  const intent: Intent = {
    id,
    clientSecret: `${id}_secret_${digest(id).slice(0, 25)}`,
    createdAt,
    amount,
    currency,
    status: charge ? "succeeded" : isCanceled ? "canceled" : "requires_payment_method",
    customer: null,
    description: null,
    receiptEmail: null,
    statementDescriptor: null,
    statementDescriptorSuffix: null,
    setupFutureUsage: null,
    shipping: null,
    metadata: payment.metadata,
    automatic: { enabled: true, allowRedirects: "always" },
    allowedTypes: null,
    methodId: charge?.methodId ?? null,
    challenge: null,
    problem: null,
    latestCharge: charge?.id ?? null,
    canceledAt: isCanceled ? createdAt : null,
    cancellationReason: null,
  };
  state.payments.intents.set(id, intent);
}

function addPaidCharge(act: Act, payment: PastPayment, paidAt: number): Charge {
  const { state, origin } = act;
  const { intent: intentId, amount, currency, refunds, disputes } = payment;
  const year = new Date(act.now).getUTCFullYear() + 3;
  const billing = { country: "US", postalCode: "11714", name: null, email: null };
  const method = addMethod(act, { number: "4242424242424242", expMonth: 12, expYear: year, billing });
  const id = paymentId(state, "ch");
  const of = { chargeId: id, intentId, currency };
  const charge: Charge = {
    id,
    createdAt: paidAt,
    intentId,
    amount,
    currency,
    customer: null,
    description: null,
    receiptEmail: null,
    receiptUrl: `${origin}/sandbox/stripe/receipts/${id}`,
    metadata: payment.metadata,
    methodId: method.id,
    threeDSecure: false,
    decline: null,
    balanceTransaction: paymentId(state, "txn"),
    refundedAmount: refunds.reduce((sum, refund) => sum + refund.amount, 0),
    disputeId: disputes.at(-1)?.id ?? null,
  };
  state.payments.charges.set(id, charge);
  for (const { at, ...refund } of refunds)
    state.payments.refunds.set(refund.id, {
      ...refund,
      ...of,
      createdAt: at,
      reason: null,
      status: "succeeded",
      ends: null,
    });
  for (const { at, ...dispute } of disputes)
    state.payments.disputes.set(dispute.id, {
      ...dispute,
      ...of,
      createdAt: at,
      reason: "product_not_received",
      caseType: "chargeback",
      transactions: [{ at, amount: -dispute.amount }],
    });
  return charge;
}
