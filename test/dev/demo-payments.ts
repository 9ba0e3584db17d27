import type { PaymentsResponse } from "../../worker/contract/money/payments.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import type { DriverClient } from "../support/driver-client.ts";
import { payByCard } from "../support/pay-by-card.ts";
import { DEMO_DRIVER } from "../support/settings.ts";

/** How long ago the demo driver's first and second payment were made. */
const PAID_AGO_MS = [20 * DAY_MS, 6 * DAY_MS] as const;

/**
 * Dates the demo driver's first two payments back. They are made through the API and the sandbox's Stripe, which both
 * live in the present; only their times are set here, in the local database alone.
 */
export function datedPayments(): string {
  const isDemo = (id: string) =>
    `${id} = (SELECT id FROM users WHERE phone_number = '${DEMO_DRIVER.phoneNumber}')`;
  const ago = (table: string, condition: string) =>
    `(CASE (SELECT count(*) FROM ${table} WHERE driver_id = NEW.driver_id AND ${condition})
        WHEN 1 THEN ${PAID_AGO_MS[0]} WHEN 2 THEN ${PAID_AGO_MS[1]} ELSE 0 END)`;
  const dated = (table: string) => `
DROP TRIGGER IF EXISTS demo_${table};
CREATE TRIGGER demo_${table} AFTER INSERT ON ${table}
WHEN ${isDemo("NEW.driver_id")} AND NEW.source LIKE 'payment:%'
BEGIN
  UPDATE ${table} SET at = at - ${ago(table, "source LIKE 'payment:%'")} WHERE source = NEW.source;
END;`;
  return `${dated("service_credits")}${dated("point_entries")}
DROP TRIGGER IF EXISTS demo_payments;
CREATE TRIGGER demo_payments AFTER UPDATE OF settled_at ON payments
WHEN ${isDemo("NEW.driver_id")} AND OLD.settled_at IS NULL AND NEW.settled_at IS NOT NULL
BEGIN
  UPDATE payments SET
    created_at = created_at - ${ago("payments", "settled_at IS NOT NULL")},
    settled_at = settled_at - ${ago("payments", "settled_at IS NOT NULL")}
  WHERE id = NEW.id;
END;
`;
}

/** Pays for two plans by card, unless the driver has paid before. */
export async function payForService(origin: string, client: DriverClient): Promise<void> {
  const { items } = await client.fetchJson<PaymentsResponse>("GET", "/flex/v1/payments");
  if (items.length > 0) return;
  let lastPaymentId: string | null = null;
  for (const _ago of PAID_AGO_MS) lastPaymentId = await payByCard(origin, client, lastPaymentId);
}
