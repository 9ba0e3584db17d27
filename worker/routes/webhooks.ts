import { Hono, type Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { notePendingEvent } from "../../db/queries/payments/stripe-events.ts";
import { HANDLED_EVENTS } from "../../db/shapes/money/stripe-words.ts";
import {
  type WebhookResponse,
  incomingText,
  textReport,
  textReportQueryInput,
} from "../contract/webhooks.ts";
import type { AppEnv } from "../http/app-env.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { createCheckoutContext } from "../payments/checkout.ts";
import { FIRST_RETRY_MS, handleEvent } from "../payments/stripe/events.ts";
import { REPORT_ID } from "../../durable/texts/delivery.ts";
import { parseForm, validate } from "../http/validate.ts";
import { isSignedByGateway, takeReply, takeReport } from "../texts/gateway.ts";

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

const MAX_FORM_BYTES = 64 * 1024;

const limitForm = bodyLimit({
  maxSize: MAX_FORM_BYTES,
  onError: () => {
    throw new ApiError("too_large");
  },
});

/** Lets only what the gateway signed for this address pass. */
const requireSignature = createMiddleware<AppEnv>(async (c, next) => {
  const { sms, publicUrl } = c.var.deps.config;
  const { pathname, search } = new URL(c.req.url);
  const signature = c.req.header("x-twilio-signature") ?? "";
  // The address that the gateway was told, which is not the one that a proxy passes on.
  const url = `${publicUrl}${pathname}${search}`;
  const isSigned =
    sms && (await isSignedByGateway({ url, form: await readForm(c), signature }, sms.signingTokens));
  if (!isSigned) throw new ApiError("forbidden");
  await next();
});

/** The text gateway's reports on texts, and the texts that phones send us. Only what it signed is read. */
export const textWebhookRoutes = new Hono<AppEnv>()
  .post("/status", limitForm, requireSignature, validate("query", textReportQueryInput), async (c) => {
    const report = parseForm(textReport, await readForm(c));
    await takeReport(c.var.deps, c.req.valid("query")[REPORT_ID], report);
    return c.body(null, 204);
  })
  .post("/incoming", limitForm, requireSignature, async (c) => {
    const incoming = parseForm(incomingText, await readForm(c));
    const answer = await takeReply(c.var.deps, incoming);
    return c.body(toTwiml(answer), 200, { "content-type": "text/xml" });
  });

async function readForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  return new URLSearchParams(await c.req.text());
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The answer in the gateway's markup. */
function toTwiml(text: string | null): string {
  const message =
    text === null
      ? ""
      : `<Message>${text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character)}</Message>`;
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${message}</Response>`;
}
