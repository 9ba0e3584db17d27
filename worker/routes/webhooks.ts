import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { notePendingEvent } from "../../db/queries/payments/pending-stripe-events.ts";
import { HANDLED_EVENTS } from "../../db/shapes/money/handled-events.ts";
import type { WebhookResponse } from "../contract/webhooks.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { createCheckoutContext } from "../payments/checkout.ts";
import { FIRST_RETRY_MS, handleEvent } from "../payments/stripe/events.ts";

const MAX_EVENT_BYTES = 256 * 1024;

/** Signed events of the card processor. Each is noted and acknowledged first, and handled after. */
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
    const checkout = createCheckoutContext({ deps, db: deps.db });
    const { cards } = checkout;
    // A failure, so that the event is sent again once the keys are set.
    if (!cards || deps.config.cards?.webhookSecrets.length === 0) throw new ApiError("cards_unavailable");
    const event = await cards.verifyEvent(await c.req.text(), c.req.header("stripe-signature") ?? "");
    if (!event) throw new ApiError("invalid_request");
    const { id, type } = event;
    const intentId = event.intentId ?? event.chargeId;
    if (intentId !== null && HANDLED_EVENTS.has(type)) {
      const pending = { id, type, intentId, tries: 0, dueAt: deps.now() + FIRST_RETRY_MS };
      await notePendingEvent(deps.db, pending);
      c.executionCtx.waitUntil(handleEvent({ ...checkout, cards }, pending));
    }
    return c.json({ received: true } satisfies WebhookResponse, 200);
  },
);
