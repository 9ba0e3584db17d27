import * as z from "zod/mini";

/** POST /webhooks/stripe: an event as Stripe defines it. Only a signed one is read. */
export const stripeEvent = z.looseObject({ id: z.string(), type: z.string() });

export const webhookResponse = z.object({ received: z.literal(true) });
export type WebhookResponse = z.infer<typeof webhookResponse>;
