import * as z from "zod/mini";
import { disputeStatus } from "../../../db/shapes/money/money-back.ts";
import { shownPaymentStatus, shownPlan } from "../../../db/shapes/money/plans.ts";
import { cents, driverId, epochMs } from "../../../db/shapes/units.ts";

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/** Calendar days, both included, as they begin and end in a time zone. */
export const moneyDays = {
  from: day,
  to: day,
  zone: z.string().check(z.regex(/^[\w+/-]{1,64}$/)),
};
export const moneyQueryInput = z.object(moneyDays);
export type MoneyQuery = z.infer<typeof moneyQueryInput>;

/** The same, from a place in a list on. */
export const moneyListQueryInput = z.object({
  ...moneyDays,
  cursor: z.optional(z.string().check(z.regex(/^\d{1,16}\.[\w-]{1,64}$/))),
});
export type MoneyListQuery = z.infer<typeof moneyListQueryInput>;

/** One plan's income on one day. Days and plans on which nothing happened are left out. */
const revenueLine = z.object({
  day,
  plan: shownPlan,
  payments: z.int(),
  grossCents: cents,
  /** Money that went back, less what came back after all: it may be negative. */
  refundedCents: z.int(),
  /** The same of lost disputes. */
  disputedCents: z.int(),
});
export type RevenueLine = z.infer<typeof revenueLine>;

/** The purposes for which points were granted or spent. */
export const pointUse = z.enum(["earned", "operator", "other", "plans", "redeemed", "refunds"]);
export type PointUse = z.infer<typeof pointUse>;

/** Income and costs in one currency. */
const moneyInCurrency = z.object({
  currency: z.string(),
  revenue: z.array(revenueLine),
  fees: z.object({
    /** Stripe's charge for the payments whose fee is known. */
    cents,
    known: z.int(),
    payments: z.int(),
    disputeCents: z.int(),
  }),
});
export type MoneyInCurrency = z.infer<typeof moneyInCurrency>;

/** GET /ops/v1/money: what some days brought, in the deployment's currency and apart from it in each other. */
export const moneyResponse = z.extend(moneyInCurrency, {
  /** Currencies that the deployment had before. Servers of before left them out. */
  others: z._default(z.array(moneyInCurrency), []),
  points: z.array(z.object({ use: pointUse, granted: z.int(), spent: z.int() })),
  drivers: z.object({
    /** Paid with money in these days. */
    paying: z.int(),
    /** Those of them who had never paid before. */
    first: z.int(),
    returning: z.int(),
    /** Had paid, service ended in these days, and nothing has been added since. */
    lost: z.int(),
  }),
});
export type MoneyResponse = z.infer<typeof moneyResponse>;

/** Its driver. The name is null once the account is deleted. */
const whose = { driverId, name: z.nullable(z.string()), plan: shownPlan, currency: z.string() };

const paymentInList = z.object({
  ...whose,
  id: z.string(),
  at: epochMs,
  status: shownPaymentStatus,
  totalCents: cents,
  refundedCents: cents,
  processorFeeCents: z.nullable(z.int()),
  method: z.nullable(z.string()),
  receiptNumber: z.nullable(z.int()),
});
export type PaymentInList = z.infer<typeof paymentInList>;

const refundInList = z.object({
  ...whose,
  id: z.string(),
  at: epochMs,
  kind: z.enum(["refund", "dispute"]),
  cents,
  totalCents: cents,
  /** False if it failed or was canceled: the money is ours. */
  isEffective: z.boolean(),
});
export type RefundInList = z.infer<typeof refundInList>;

const disputeInList = z.object({
  ...whose,
  id: z.string(),
  paymentId: z.string(),
  at: epochMs,
  status: disputeStatus,
  /** In Stripe's words. */
  reason: z.string(),
  cents,
  feeCents: z.int(),
  dueAt: z.nullable(epochMs),
});
export type DisputeInList = z.infer<typeof disputeInList>;

/** GET /ops/v1/money/payments and /refunds: a page of those of some days, newest first. */
export const paymentsInList = z.object({ rows: z.array(paymentInList), cursor: z.nullable(z.string()) });
export type PaymentsInList = z.infer<typeof paymentsInList>;
export const refundsInList = z.object({ rows: z.array(refundInList), cursor: z.nullable(z.string()) });
export type RefundsInList = z.infer<typeof refundsInList>;

/** GET /ops/v1/money/disputes: all that are open, the soonest deadline first, then those of some days that are decided. */
export const disputesInList = z.object({ rows: z.array(disputeInList), hasMore: z.boolean() });
export type DisputesInList = z.infer<typeof disputesInList>;

/** GET /ops/v1/alerts: what an operator must look at, oldest first. `hasMore`: there are more than are listed. */
export const alertsResponse = z.object({
  alerts: z.array(
    z.discriminatedUnion("about", [
      /** Money without service. */
      z.object({
        about: z.literal("payment"),
        kind: z.string(),
        paymentId: z.nullable(z.string()),
        intentId: z.nullable(z.string()),
        at: epochMs,
      }),
      /** A ceiling of texts, the text gateway, or a key that a service refuses. */
      z.object({ about: z.literal("service"), name: z.string(), reason: z.string(), at: epochMs }),
    ]),
  ),
  hasMore: z.boolean(),
});
export type AlertsResponse = z.infer<typeof alertsResponse>;

/** The most days that are compared in one call: each hundred of their payments is a call to Stripe. */
export const MOST_RECONCILED_DAYS = 31;

/**
 * GET /ops/v1/journal?from=&to=: the trial balance at the end of the last of these calendar days in UTC, their lines, and the
 * revenue of each day. Debits are positive; the accounts of a unit add up to zero. Revenue is earned less what was given back
 * of it.
 */
export const journalResponse = z.object({
  closedUntil: z.nullable(day),
  balance: z.array(z.object({ account: z.string(), unit: z.string(), amount: z.int() })),
  lines: z.array(
    z.object({
      day,
      entry: z.string(),
      account: z.string(),
      unit: z.string(),
      amount: z.int(),
      paymentId: z.nullable(z.string()),
    }),
  ),
  /** There are more lines than are listed. */
  hasMore: z.boolean(),
  /** Days on which nothing was earned are left out. Servers of before left out all. */
  revenue: z._default(z.array(z.object({ day, currency: z.string(), cents: z.int() })), []),
});
export type JournalResponse = z.infer<typeof journalResponse>;

/** GET /ops/v1/reconcile?from=&to=: calendar days in UTC, both included. */
export const reconcileQueryInput = z.object({ from: day, to: day });

/** Stripe's books next to ours, over the payments that were begun in these days; no difference is the expected answer. */
export const reconcileResponse = z.object({
  payments: z.int(),
  paidCents: cents,
  differences: z.array(
    z.object({
      /** Null for money that names no payment of ours. */
      paymentId: z.nullable(z.string()),
      intentId: z.nullable(z.string()),
      what: z.string(),
      stripe: z.string(),
      ours: z.string(),
    }),
  ),
});
export type ReconcileResponse = z.infer<typeof reconcileResponse>;
