import { deletePastAlerts } from "../../db/queries/fleet/alerts.ts";
import { deleteOldErrorGroups } from "../../db/queries/operators/error-groups.ts";
import { deleteOldFleetHours } from "../../db/queries/fleet/reports.ts";
import { deleteOldSecurityEvents } from "../../db/queries/accounts/security-events.ts";
import { deleteOldTexts } from "../../db/queries/texts/delivery.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { deleteExpiredSeals } from "../../db/queries/identity/used-seals.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { isolateOf } from "../http/isolate.ts";
import { closingOf } from "../http/gate/maintenance.ts";
import { closeYesterday } from "../payments/books/reconcile-books.ts";
import { reconcilePayments } from "../payments/books/reconcile.ts";
import { createCheckoutContext } from "../payments/checkout.ts";

/** How long drivers see what happened to their account. */
const SECURITY_EVENT_LIFETIME_MS = 90 * DAY_MS;

/** How long it stays known what the fleet counted in an hour. */
const FLEET_LIFETIME_MS = 35 * DAY_MS;

/** How long an error that is no longer reported stays listed. */
const ERROR_LIFETIME_MS = 90 * DAY_MS;

/** The gateway reports within three days. A number that failed gets another chance in the next quarter. */
const TEXT_LIFETIMES = { textMs: 3 * DAY_MS, failureMs: 90 * DAY_MS };

/** The same as in wrangler.toml. */
export const HOURLY_CRON = "7 * * * *";

/** Every hour, unless the deployment is closed: reconciles our copies of payments with the card processor, closes the books of a day that is over, deletes expired seals, past alerts, old security events, texts, counts and errors, and accounts that nobody confirmed, and rotates signing keys. */
export async function runHourly(env: Env): Promise<void> {
  const { deps, userPool } = isolateOf(env);
  if (closingOf(deps.config, deps.now())) return;
  await deleteExpiredSeals(deps.db, deps.now());
  await deletePastAlerts(deps.db, deps.now());
  await deleteOldSecurityEvents(deps.db, deps.now(), SECURITY_EVENT_LIFETIME_MS);
  await deleteOldFleetHours(deps.db, deps.now() - FLEET_LIFETIME_MS);
  await deleteOldErrorGroups(deps.db, deps.now() - ERROR_LIFETIME_MS);
  await deleteOldTexts(deps.db, deps.now(), TEXT_LIFETIMES);
  await userPool?.sweepUnconfirmed();
  const rotation = await userPool?.maintainSigningKeys();
  if (rotation && rotation.made + rotation.deleted > 0) deps.log("info", "keys.signing.rotated", rotation);
  const checkout = createCheckoutContext({ deps, db: deps.db });
  const { cards } = checkout;
  if (!cards) return;
  await reconcilePayments({ ...checkout, cards });
  await closeYesterday({ ...checkout, cards });
}
