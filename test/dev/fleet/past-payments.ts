import type { DatabaseSync } from "node:sqlite";
import { PLAN_DAYS, type PlanForSale } from "../../../db/shapes/money/plans.ts";
import { MADE_UP_DRIVERS } from "./made-up-drivers.ts";

/** The body of `POST /sandbox/stripe/past`. */
export type PastPayments = { payments: object[] };

/**
 * The made-up drivers' payments as the local database has them, for the sandbox's Stripe: without them the console's
 * comparison of the books would miss each there.
 */
export function readPastPayments(database: DatabaseSync): PastPayments {
  const rows = (query: string, ...values: string[]) => database.prepare(query).all(...values);
  const drivers = MADE_UP_DRIVERS.map(() => "?").join(", ");
  const payments = rows(
    `SELECT id, intent_id, plan, status, total_cents, created_at, settled_at FROM payments
     WHERE intent_id IS NOT NULL AND driver_id IN (${drivers}) ORDER BY created_at`,
    ...MADE_UP_DRIVERS.map(({ id }) => id),
  );
  return {
    payments: payments.map((payment) => {
      const id = String(payment["id"]);
      const refunds = rows(`SELECT * FROM payment_refunds WHERE kind = 'refund' AND payment_id = ?`, id);
      const disputes = rows(`SELECT * FROM payment_disputes WHERE payment_id = ?`, id);
      return {
        intent: payment["intent_id"],
        amount: payment["total_cents"],
        metadata: { payment_id: id, days: String(PLAN_DAYS[payment["plan"] as PlanForSale]) },
        createdAt: payment["created_at"],
        paidAt: payment["settled_at"],
        isCanceled: payment["status"] === "abandoned",
        refunds: refunds.map((refund) => ({
          id: refund["id"],
          amount: refund["cents"],
          at: refund["at"],
          metadata: refund["is_goodwill"] === 1 ? { goodwill: "true" } : {},
        })),
        disputes: disputes.map(({ id: dispute, cents, at, status }) => ({
          id: dispute,
          amount: cents,
          at,
          status,
        })),
      };
    }),
  };
}
