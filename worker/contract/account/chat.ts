import * as z from "zod/mini";
import type { ApiRoute } from "../api-route.ts";

/** GET /flex/v1/user/chat: the driver's identity for the support chat, in the words of Chatwoot's SDK. */
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

/** The support chat. */
export const CHAT_ROUTES = {
  "GET /flex/v1/user/chat": {
    summary: "Who the driver is in the support chat. There is no such thing where it isn't offered to them.",
    auth: "bearer",
    responses: { 200: chatResponse },
    errors: ["not_found"],
  },
} as const satisfies Record<string, ApiRoute>;
