import { clearAlert, raiseAlert } from "../../../db/queries/fleet/alerts.ts";
import { haveEventsCeased } from "../../../db/queries/payments/stripe-events.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { CardCheckoutContext } from "../checkout.ts";
import { CardProcessorError } from "./responses.ts";

/** An alert that the next minutes don't renew is over. */
const ALERT_LIFETIME_MS = 5 * MINUTE_MS;

/**
 * Every minute: raises an alert while Stripe refuses the key, so that nobody can pay, or while its events don't come, so
 * that only the page and the hourly reconciliation settle payments.
 * @throws {CardProcessorError} if Stripe can't be reached, which is no alert before it lasts
 */
export async function watchStripe({ cards, db, deps }: CardCheckoutContext): Promise<void> {
  await watchEvents({ db, deps });
  const isTaken = await cards.checkKey().then(
    () => true,
    (error: unknown) => {
      if (error instanceof CardProcessorError && error.isUnauthorized) return false;
      throw error;
    },
  );
  await tell({ db, deps }, { name: "payments.key", reason: isTaken ? null : "refused" });
}

async function watchEvents({ db, deps }: Pick<CardCheckoutContext, "db" | "deps">): Promise<void> {
  const haveCeased = await haveEventsCeased(db, deps.now());
  await tell({ db, deps }, { name: "payments.webhook", reason: haveCeased ? "missing" : null });
}

async function tell(
  { db, deps: { now, log } }: Pick<CardCheckoutContext, "db" | "deps">,
  { name, reason }: { name: string; reason: string | null },
): Promise<void> {
  if (reason === null) {
    if (await clearAlert(db, name)) log("info", "service.alert.ended", { alert: name });
    return;
  }
  const at = now();
  if (await raiseAlert(db, { name, reason, since: at, until: at + ALERT_LIFETIME_MS }))
    log("error", "service.alert.raised", { alert: name, reason });
}
