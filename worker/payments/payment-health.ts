import { listOpenPaymentAlerts } from "../../db/queries/payments/alerts.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import { perMinute } from "../../durable/per-minute.ts";
import { keyRefusedAt } from "./stripe/refused-keys.ts";

/** Whether an operator must look at payments: an alert is open, or Stripe refused our key within the hour. */
export const arePaymentsDegraded = perMinute(async ({ config, db, now }) => {
  const refusedAt = keyRefusedAt(config);
  if (refusedAt !== null && now() - refusedAt < HOUR_MS) return true;
  return (await listOpenPaymentAlerts(db, 1)).length > 0;
}, false);
