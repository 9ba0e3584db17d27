import { loadAct, writeAct, type ActRow } from "../../db/queries/operators/acts.ts";
import {
  deleteOrder,
  deleteOrderStatement,
  isOrdered,
  listDueOrders,
  loadOrder,
  postponeOrder,
  type OrderRow,
} from "../../db/queries/operators/orders.ts";
import { loadPaymentForRefund } from "../../db/queries/operators/driver.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { deleteAccount } from "../../db/queries/accounts/account-changes.ts";
import { followAccountSoon } from "../accounts/account-changes.ts";
import { closePayments } from "../payments/close-payments.ts";
import { settleIntent } from "../payments/settle-intent.ts";
import { CardProcessorError } from "../payments/stripe/responses.ts";
import type { CheckoutContext } from "../payments/checkout.ts";

/** Stripe forgets a key after a day: from then on the same call could give the money back a second time. */
const KEY_HOLDS_MS = 20 * HOUR_MS;
/** How many orders are tried again in one minute. */
const BATCH_SIZE = 20;

/**
 * `done`; `pending`: whoever it needs did not answer, and it is tried again; `failed`: it was refused for good, which
 * the log says.
 */
export type OrderOutcome = "done" | "pending" | "failed";

/**
 * Carries out what an act left to be done outside of the database. It can be called again at any time: Stripe knows the
 * act's key, and unlinking twice is unlinking once.
 */
export async function carryOut(checkout: CheckoutContext, id: string): Promise<OrderOutcome> {
  const { db, deps } = checkout;
  const order = await loadOrder(db, id);
  if (!order) return "done";
  try {
    if (order.kind === "unlink") await unlink(checkout, order);
    else if (order.kind === "erase") await erase(checkout, order);
    else if ((await refund(checkout, order)) === "failed") return "failed";
    await deleteOrder(db, id);
    return "done";
  } catch (error) {
    deps.log("warn", "operator.order.failed", { actId: id, kind: order.kind, ...describeError(error) });
    const isKeyUsed = error instanceof CardProcessorError && error.isReplayed;
    await postponeOrder(db, id, { dueAt: deps.now(), isKeyUsed });
    return "pending";
  }
}

/** Every minute: what could not be carried out at once. */
export async function carryOutLeftOrders(checkout: CheckoutContext): Promise<void> {
  const { db, deps } = checkout;
  for (const { id } of await listDueOrders(db, deps.now() - MINUTE_MS, BATCH_SIZE))
    await carryOut(checkout, id);
}

async function unlink({ deps }: CheckoutContext, { driverId }: OrderRow): Promise<void> {
  for (const object of await deps.objectsOf(driverId)) await object.unlink();
}

/** Like the owner's own deletion. Payments come first: while they can't be closed, nothing is deleted. */
async function erase(checkout: CheckoutContext, { driverId }: OrderRow): Promise<void> {
  const { deps } = checkout;
  await closePayments(checkout, driverId);
  await deleteAccount(deps.db, driverId, deps.now());
  deps.log("info", "operator.account.erased", { driverId });
  await followAccountSoon(checkout, driverId);
}

/** Gives the money back and lets the ledgers follow, as they do for a webhook. */
async function refund(checkout: CheckoutContext, order: OrderRow): Promise<"done" | "failed"> {
  const { db, cards } = checkout;
  const { driverId, paymentId, cents, isGoodwill } = order;
  const payment = await loadPaymentForRefund(db, { driverId, id: paymentId ?? "" });
  if (!cards || !payment?.intentId || cents === null)
    throw new Error("the refund has no payment to be made of");
  const ordered = await loadAct(db, order.id);
  if (!ordered) throw new Error("an order without an act");
  const isKeyForgotten = checkout.deps.now() - ordered.at > KEY_HOLDS_MS;
  const key = `operator:${order.id}${order.keysUsed > 0 ? `:${order.keysUsed}` : ""}`;
  try {
    // Stripe may have given it back under a key that it answers with a failure for good, or has forgotten by now.
    const isMade =
      (isKeyForgotten || order.keysUsed > 0) && (await cards.hasRefund(payment.intentId, order.id));
    if (!isMade && isKeyForgotten) {
      await noteFailure(checkout, ordered);
      return "failed";
    }
    if (!isMade) await cards.refundIntent(payment.intentId, key, { cents, isGoodwill, actId: order.id });
  } catch (error) {
    if (!(error instanceof CardProcessorError) || error.kind !== "refused" || error.isUnauthorized)
      throw error;
    await noteFailure(checkout, ordered);
    return "failed";
  }
  await settleIntent({ ...checkout, cards }, payment.intentId);
  return "done";
}

/** It will not be made: the log says so, in the batch that drops the order. */
async function noteFailure({ db, deps }: CheckoutContext, ordered: ActRow): Promise<void> {
  const { id, operator, role, driverId, what, reason, before, after } = ordered;
  const failure = {
    id: `${id}:failed`,
    operator,
    role,
    act: "refund_failed" as const,
    driverId,
    what,
    reason,
  };
  await writeAct(
    db,
    { ...failure, before: after, after: before, worthCents: 0, at: deps.now() },
    {
      condition: isOrdered(id),
      effects: (isWritten) => [deleteOrderStatement(db, id, isWritten)],
      limits: null,
    },
  );
}
