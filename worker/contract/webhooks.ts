import * as z from "zod/mini";
import type { ApiRoute } from "./api-route.ts";

/** POST /webhooks/stripe: an event as Stripe defines it. Only a signed one is read. */
export const stripeEvent = z.looseObject({ id: z.string(), type: z.string() });

export const webhookResponse = z.object({ received: z.literal(true) });
export type WebhookResponse = z.infer<typeof webhookResponse>;

/** POST /webhooks/texts/status: what became of a text, as a form in the gateway's words. */
export const textReport = z.object({
  MessageStatus: z.string(),
  ErrorCode: z.optional(z.string().check(z.regex(/^\d{1,6}$/))),
});
export type TextReport = z.infer<typeof textReport>;

/** The query of that address: our id of the text. */
export const textReportQueryInput = z.object({ text: z.string() });

/** POST /webhooks/texts/incoming: a text from a phone, as a form. `OptOutType` is there if the gateway answered it. */
export const incomingText = z.object({
  MessageSid: z.string().check(z.minLength(1)),
  From: z.string().check(z.regex(/^\+[1-9]\d{6,14}$/)),
  Body: z.string(),
  OptOutType: z.optional(z.string()),
});
export type IncomingText = z.infer<typeof incomingText>;

/** The calls of the card processor and the text gateway. */
export const WEBHOOK_ROUTES = {
  "POST /webhooks/stripe": {
    summary: "Takes an event of the card processor.",
    auth: "signature",
    body: stripeEvent,
    responses: { 200: webhookResponse },
    errors: ["invalid_request", "cards_unavailable"],
  },
  "POST /webhooks/texts/status": {
    summary: "What became of a text, from the text gateway.",
    auth: "text_signature",
    query: textReportQueryInput,
    form: textReport,
    responses: { 204: null },
    errors: ["forbidden"],
  },
  "POST /webhooks/texts/incoming": {
    summary: "A text from a phone, from the text gateway: STOP, START and HELP. The answer is in its markup.",
    auth: "text_signature",
    form: incomingText,
    responses: { 200: "text/xml" },
    errors: ["forbidden"],
  },
} as const satisfies Record<string, ApiRoute>;
