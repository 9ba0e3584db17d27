import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { isEventKnown } from "../../db/queries/payment-changes.ts";
import { errorName } from "../../durable/log.ts";
import type { App } from "../http/context.ts";
import { Failure } from "../http/failure.ts";
import { settleIntent } from "../payments/settle.ts";
import type { SignedEvent } from "../payments/stripe-answers.ts";
import { openTill } from "../payments/till.ts";

const LARGEST_EVENT_BYTES = 256 * 1024;

/** The events after which a payment is looked at; README tells operators to send these. */
const LOOK_AT: ReadonlySet<string> = new Set([
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

/** Signed events of the card processor. They are answered first: what they are about is looked at after. */
export const webhooks = new Hono<App>().post(
  "/stripe",
  bodyLimit({
    maxSize: LARGEST_EVENT_BYTES,
    onError: () => {
      throw new Failure("too_large");
    },
  }),
  async (c) => {
    const { deps } = c.var;
    const till = openTill({ env: c.env, deps, db: deps.db });
    const { cards } = till;
    // Not an answer that ends it: the event comes again when the keys are set.
    if (!cards || deps.config.cards?.webhookSecrets.length === 0) throw new Failure("cards_unavailable");
    const event = await cards.readEvent(await c.req.text(), c.req.header("stripe-signature") ?? "");
    if (!event) throw new Failure("invalid_request");
    const { intentId } = event;
    if (intentId !== null && LOOK_AT.has(event.type)) {
      c.executionCtx.waitUntil(look({ ...event, intentId }));
    }
    return c.json({ received: true }, 200);

    async function look(about: SignedEvent & { intentId: string }): Promise<void> {
      try {
        if (!cards || (await isEventKnown(deps.db, about.id))) return;
        await settleIntent({ ...till, cards }, about.intentId, about);
      } catch (error) {
        // The hourly reconciliation finds what this look missed.
        deps.log("warn", "payments.event.failed", { type: about.type, error: errorName(error) });
      }
    }
  },
);
