import * as z from "zod/mini";
import { cents, epochMs } from "../../../db/shapes/units.ts";

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

const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));

/** The most days that are compared in one call: each hundred of their payments is a call to Stripe. */
export const MOST_RECONCILED_DAYS = 31;

/**
 * GET /ops/v1/journal?from=&to=: the trial balance at the end of the last of these calendar days in UTC, their lines,
 * and the revenue of each day. Debits are positive; the accounts of a unit add up to nothing. Revenue is earned less what was given back of it.
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
