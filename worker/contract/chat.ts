import * as z from "zod/mini";

/** GET /flex/v1/user/chat: what the support chat is told of the driver, in the words of Chatwoot's SDK. */
export const chatResponse = z.object({
  identifier: z.string(),
  /** HMAC-SHA256 of the identifier, so that nobody else can be this driver in the chat. */
  identifierHash: z.string(),
  name: z.string(),
  email: z.nullable(z.string()),
  phoneNumber: z.string(),
  attributes: z.object({
    good_standing: z.boolean(),
    /** `yyyy-MM-dd` in the driver's time zone; null if no service was ever bought. */
    expiration_date: z.nullable(z.string()),
    human_region: z.nullable(z.string()),
    account_connected: z.boolean(),
  }),
  label: z.string(),
});
export type ChatResponse = z.infer<typeof chatResponse>;
