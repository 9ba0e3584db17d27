import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isStripeEventKnown } from "../../db/queries/payment-changes.ts";
import type { WebhookResponse } from "../contract/webhooks.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/api-error.ts";
import { settleIntent } from "../payments/settle-intent.ts";
import { describePaymentError, type SignedEvent } from "../payments/stripe-responses.ts";
import { createCheckoutContext } from "../payments/checkout.ts";

const MAX_EVENT_BYTES = 256 * 1024;

/** The events after which a payment is settled; README tells operators to send these. */
const HANDLED_EVENTS: ReadonlySet<string> = new Set([
  "payment_intent.succeeded",
  "payment_intent.processing",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
  "charge.refunded",
  "refund.created",
  "refund.updated",
  "refund.failed",
  "charge.dispute.created",
  "charge.dispute.updated",
  "charge.dispute.closed",
]);

/** Signed events of the card processor. Each is acknowledged first and handled after. */
export const webhookRoutes = new Hono<AppEnv>().post(
  "/stripe",
  bodyLimit({
    maxSize: MAX_EVENT_BYTES,
    onError: () => {
      throw new ApiError("too_large");
    },
  }),
  async (c) => {
    const { deps } = c.var;
    const checkout = createCheckoutContext({ env: c.env, deps, db: deps.db });
    const { cards } = checkout;
    // A failure, so that the event is sent again once the keys are set.
    if (!cards || deps.config.cards?.webhookSecrets.length === 0) throw new ApiError("cards_unavailable");
    const event = await cards.verifyEvent(await c.req.text(), c.req.header("stripe-signature") ?? "");
    if (!event) throw new ApiError("invalid_request");
    const { intentId } = event;
    if (intentId !== null && HANDLED_EVENTS.has(event.type)) {
      c.executionCtx.waitUntil(handleEvent({ ...event, intentId }));
    }
    return c.json({ received: true } satisfies WebhookResponse, 200);

    async function handleEvent(signedEvent: SignedEvent & { intentId: string }): Promise<void> {
      try {
        if (!cards || (await isStripeEventKnown(deps.db, signedEvent.id))) return;
        await settleIntent({ ...checkout, cards }, signedEvent.intentId, signedEvent);
      } catch (error) {
        // The hourly reconciliation finds what this missed.
        deps.log("warn", "payments.event.failed", { type: signedEvent.type, ...describePaymentError(error) });
      }
    }
  },
);
