import * as z from "zod/mini";

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
export const textReportQuery = z.object({ text: z.string() });

/** POST /webhooks/texts/incoming: a text from a phone, as a form. `OptOutType` is there if the gateway answered it. */
export const incomingText = z.object({
  MessageSid: z.string().check(z.minLength(1)),
  From: z.string().check(z.regex(/^\+[1-9]\d{6,14}$/)),
  Body: z.string(),
  OptOutType: z.optional(z.string()),
});
export type IncomingText = z.infer<typeof incomingText>;
