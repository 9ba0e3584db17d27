import { paymentsToLookAt, readIntents, type PaymentRow } from "../../db/queries/payments.ts";
import { DAY_MS, MINUTE_MS } from "../../durable/engine/units.ts";
import { errorName } from "../../durable/log.ts";
import { abandonUnasked, settleIntent } from "./settle.ts";
import type { CardTill, Till } from "./till.ts";

/** A driver who is at the card form now is left alone. */
const AT_THE_FORM_MS = 10 * MINUTE_MS;
/** Nobody comes back to a form after so long. */
const GIVEN_UP_MS = DAY_MS;
/** As long as webhooks are repeated: what is older they never told us. */
const LOOK_BACK_MS = 3 * DAY_MS;
const BATCH = 200;

/**
 * Every hour: looks at payments that wait, gives up those that nobody will pay, and finds what
 * happened at the card processor without our hearing of it. One that fails does not stop the others.
 */
export async function reconcile(till: CardTill): Promise<void> {
  const { db, deps, cards } = till;
  const now = deps.now();
  for (const payment of await paymentsToLookAt(db, { before: now - AT_THE_FORM_MS, limit: BATCH })) {
    await attempt(till, payment.id, () => lookAt(till, payment));
  }
  const { succeeded, reversed } = await cards.listTouchedIntents(now - LOOK_BACK_MS);
  const known = await readIntents(db, [...succeeded, ...reversed]);
  for (const { intentId, isSettled } of known) {
    if (isSettled && !reversed.includes(intentId)) continue;
    await attempt(till, intentId, () => settleIntent(till, intentId));
  }
}

async function lookAt(till: CardTill, payment: PaymentRow): Promise<void> {
  const isGivenUp = payment.createdAt < till.deps.now() - GIVEN_UP_MS;
  if (payment.intentId === null) {
    if (isGivenUp) await abandonUnasked(till, payment);
    return;
  }
  const settled = await settleIntent(till, payment.intentId);
  if (!isGivenUp || settled?.payment.status !== "open") return;
  await till.cards.cancelIntent(payment.intentId);
  await settleIntent(till, payment.intentId);
}

async function attempt({ deps }: Till, what: string, look: () => Promise<unknown>): Promise<void> {
  try {
    await look();
  } catch (error) {
    deps.log("warn", "payments.reconcile.failed", { what, error: errorName(error) });
  }
}
