import * as z from "zod/mini";
import { textDelivery } from "../../db/shapes/text-delivery.ts";

/** GET /flex/v1/user/texts: whether texts reach the driver. */
export const textsResponse = z.object({
  /** Where they go. */
  phoneNumber: z.string(),
  delivery: textDelivery,
  /** The number that texts come from, for START; null if they come from several. */
  sender: z.nullable(z.string()),
  /** How many a day, before the rest is told in one. */
  dailyLimit: z.int(),
});
export type TextsResponse = z.infer<typeof textsResponse>;
