import * as z from "zod/mini";
import { textDelivery } from "../../../db/shapes/text-delivery.ts";
import type { ApiRoute } from "../api-route.ts";

/** GET /flex/v1/user/texts: whether texts reach the driver. */
export const textsResponse = z.object({
  /** Where they go. */
  phoneNumber: z.string(),
  delivery: textDelivery,
  /** The number that texts come from, for START; null if they come from several. */
  sender: z.nullable(z.string()),
  /** How many a day, before one text sums up the rest. */
  dailyLimit: z.int(),
});
export type TextsResponse = z.infer<typeof textsResponse>;

/** Whether texts reach the driver. */
export const TEXT_ROUTES = {
  "GET /flex/v1/user/texts": {
    summary: "Whether texts reach the driver, and what to do where they don't.",
    auth: "bearer",
    responses: { 200: textsResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/user/texts/test": {
    summary: "Texts the driver's number, also where it is paused. One that the gateway takes ends the pause.",
    auth: "bearer",
    responses: { 204: null },
    errors: ["not_found", "rate_limited", "text_not_sent", "texts_stopped"],
  },
} as const satisfies Record<string, ApiRoute>;
